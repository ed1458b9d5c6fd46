/**
 * The entry: reads the settings, creates the service, starts it, waits for a signal, stops it. Its modules are imported
 * only after the check that this version of Node can load them.
 */

const OLDEST_NODE = [22, 19] as const;

function isOldNode(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
}

function refuse(message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}

/** A bug ends the process. Its message may quote a value, so only its class is printed. */
function endOnBug(bug: unknown): void {
  const kind = bug instanceof Error ? bug.constructor.name : typeof bug;
  process.stderr.write(`The service ends because of an unexpected ${kind}\n`);
  process.exit(1);
}

async function run(): Promise<void> {
  process.on('uncaughtException', endOnBug);
  process.on('unhandledRejection', endOnBug);
  const { readSettings, SettingsError } = await import('./config/settings.ts');
  const { settingOddities } = await import('./config/oddities.ts');
  const { createLogger } = await import('./observability/logger.ts');
  const { createService: composeService } = await import('./app/create-service.ts');
  const { loadTracing } = await import('./app/tracing.ts');
  const { operatorMessage } = await import('./app/create-service.ts');
  try {
    const settings = readSettings(process.env);
    for (const oddity of settingOddities(process.env, settings))
      createLogger(settings.logLevel).warn('a setting looks wrong', oddity);
    const service = composeService(settings, process.env, { createTracing: await loadTracing(settings) });
    const stop = (signal: NodeJS.Signals): void => {
      // Work that remains after the deadline must not keep the process alive.
      void service.stop(signal).then(() => process.exit());
    };
    // Not `once`: a signal may arrive twice (Ctrl-C under npm does), and the second would end the process during
    // requests.
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
    void service.failed.then(async (error) => {
      refuse(operatorMessage(error));
      await service.stop('failure');
      process.exit();
    });
    await service.start();
  } catch (error) {
    if (error instanceof SettingsError) {
      refuse('The configuration is invalid:');
      for (const { variable, rule } of error.problems) refuse(`  ${variable} ${rule}`);
    } else {
      refuse(operatorMessage(error));
    }
  }
}

if (isOldNode(process.versions.node)) {
  refuse(
    `This service needs Node.js ${OLDEST_NODE.join('.')} or newer and runs on ${process.versions.node}. ` +
      'Start it with `npm start`, which brings the right one.',
  );
} else {
  await run();
}
