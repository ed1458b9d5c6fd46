import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { onBenchFixture, say } from './fixture.ts';

/** The reflector runs in a process of its own, so that nothing else of the benchmark is measured with it. */
await onBenchFixture(async (fixture) => {
  await fixture.fill(5_000, 8_192);
  const script = new URL('relist.ts', import.meta.url).pathname;
  const env = { ...process.env, KUBECONFIG: fixture.kubeconfigFile };
  const { stdout } = await promisify(execFile)(process.execPath, [script], { env });
  say('relist of 5,000 Secrets of 8 KB', JSON.parse(stdout) as Record<string, number>);
});
