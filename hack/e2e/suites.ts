import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const VITEST = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Runs tests with vitest, which says what it does. @returns whether all passed */
export async function runSuite(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<boolean> {
  // A process group of their own: when the run is ended, so are the services that the tests have started.
  const child = spawn(process.execPath, [VITEST, 'run', ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
    detached: true,
  });
  const end = (): void => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
  };
  for (const signal of SIGNALS) process.once(signal, end);
  const [code] = (await once(child, 'exit')) as [number | null];
  for (const signal of SIGNALS) process.removeListener(signal, end);
  return code === 0;
}
