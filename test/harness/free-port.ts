import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the range that connections take their own ports from (32768 on, on Linux): a port from there may be gone before
 * the service that is started with it listens. Each process has a few of them to itself, by its number: several runs of
 * tests go on beside each other, whose workers have the same numbers.
 */
const FIRST = 12_000;
const PER_PROCESS = 40;
const PROCESSES = 400;

let next = 0;

/** A port that is free, and that no other process of these tests is given, unless their numbers are a multiple of 400 apart. */
export async function freePort(): Promise<number> {
  const first = FIRST + (process.pid % PROCESSES) * PER_PROCESS;
  for (let tries = 0; tries < PER_PROCESS; tries++) {
    const port = first + (next++ % PER_PROCESS);
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
