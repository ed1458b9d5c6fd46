/**
 * The entry: reads the settings, creates the service, starts it, waits for a signal, stops it. Its modules are imported
 * only after the check that this version of Node can load them.
 */

const OLDEST_NODE = '22.19';

async function run(): Promise<void> {
  // As process 1 of a container, it would ignore a signal that it has no listener for. There is nothing to stop yet.
  let stop: (signal: NodeJS.Signals) => unknown = () => process.exit();
  // Not `once`: a signal may arrive twice (Ctrl-C under npm does), and the second would end the process during
  // requests.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(signal));
  const { createLogger, standardError } = await import('./observability/logger.ts');
  const { logEnding } = await import('./app/endings.ts');
  const lastLines = createLogger('error', standardError());
  // A bug ends the process.
  const endOnBug = (bug: unknown): never => {
    logEnding(lastLines, 'crashed', bug);
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
    // Work that remains after the deadline must not keep the process alive.
    stop = (signal) => service.stop(signal).then(() => process.exit());
    void service.failed.then(async (error) => {
      logEnding(lastLines, 'cannot go on', error);
      await service.stop('failure');
      process.exit(1);
    });
    await service.start();
    service.check();
  } catch (error) {
    logEnding(lastLines, 'cannot start', error);
    process.exitCode = 1;
  }
}

if (process.versions.node.localeCompare(OLDEST_NODE, 'en', { numeric: true }) < 0) {
  process.stderr.write(
    `This service needs Node.js ${OLDEST_NODE} or newer and runs on ${process.versions.node}. ` +
      'Start it with `npm start`, which brings the right one.\n',
  );
  process.exitCode = 1;
} else {
  await run();
}
