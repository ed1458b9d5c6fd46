import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the range that connections take their own ports from (32768 on, on Linux): a port from there may be gone before
 * the service that is started with it listens. Each test worker has a part of the range to itself.
 */
const FIRST = 12_000;
const PER_WORKER = 1_000;
const WORKERS = 16;

/** Files of one worker come one after the other, so that each begins where it likes. */
let next = process.pid % PER_WORKER;

/** A port that is free, and that no one else in these tests is given for a long while. */
export async function freePort(): Promise<number> {
  const worker = Number(process.env['VITEST_POOL_ID'] ?? '0') % WORKERS;
  for (let tries = 0; tries < PER_WORKER; tries++) {
    const port = FIRST + worker * PER_WORKER + (next++ % PER_WORKER);
    if (await isFree(port)) return port;
  }
  throw new Error('no port is free');
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listening = once(server, 'listening').then(
    () => true,
    () => false,
  );
  server.listen(port, '127.0.0.1');
  if (!(await listening)) return false;
  server.close();
  await once(server, 'close');
  return true;
}
