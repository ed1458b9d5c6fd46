/**
 * The entry: reads the settings, creates the service, starts it, waits for a signal, stops it. Its modules are imported
 * only after the check that this version of Node can load them.
 */

const OLDEST_NODE = [22, 19] as const;

function isOldNode(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
}

async function run(): Promise<void> {
  const { createLogger, standardError } = await import('./observability/logger.ts');
  const { createEndings } = await import('./app/endings.ts');
  const endings = createEndings(createLogger('error', standardError()));
  // A bug ends the process.
  const endOnBug = (bug: unknown): never => {
    endings.crashed(bug);
    process.exit(1);
  };
  process.on('uncaughtException', endOnBug);
  process.on('unhandledRejection', endOnBug);
  const { readSettings } = await import('./config/settings.ts');
  const { settingOddities } = await import('./config/oddities.ts');
  const { createService } = await import('./app/create-service.ts');
  try {
    const settings = readSettings(process.env);
    for (const oddity of settingOddities(process.env, settings))
      createLogger(settings.logLevel).warn('a setting looks wrong', oddity);
    const service = await createService(settings, process.env);
    const stop = (signal: NodeJS.Signals): void => {
      // Work that remains after the deadline must not keep the process alive.
      void service.stop(signal).then(() => process.exit());
    };
    // Not `once`: a signal may arrive twice (Ctrl-C under npm does), and the second would end the process during
    // requests.
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
    void service.failed.then(async (error) => {
      endings.cannotGoOn(error);
      await service.stop('failure');
      process.exit(1);
    });
    await service.start();
    service.check();
  } catch (error) {
    endings.cannotStart(error);
    process.exitCode = 1;
  }
}

if (isOldNode(process.versions.node)) {
  process.stderr.write(
    `This service needs Node.js ${OLDEST_NODE.join('.')} or newer and runs on ${process.versions.node}. ` +
      'Start it with `npm start`, which brings the right one.\n',
  );
  process.exitCode = 1;
} else {
  await run();
}
