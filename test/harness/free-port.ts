import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/**
 * Below the range that connections take their own ports from (32768 on, on Linux): a port from there may be gone before
 * the service that is started with it listens. Each process has a few of them to itself, for as long as it listens at the
 * first of them: several runs of tests go on beside each other, and several workers in each.
 */
const FIRST = 12_000;
const PER_PROCESS = 40;
const PROCESSES = 400;

let own: Promise<number> | undefined;
let next = 0;

/** A port that is free, and that no other process of these tests is given. */
export async function freePort(): Promise<number> {
  const first = await (own ??= ownPorts());
  for (let tries = 1; tries < PER_PROCESS; tries++) {
    const port = first + 1 + (next++ % (PER_PROCESS - 1));
    const server = await listen(port);
    if (server === undefined) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
  throw new Error('no port is free');
}

/** The first port of those that are this process's own. */
async function ownPorts(): Promise<number> {
  for (let tries = 0; tries < PROCESSES; tries++) {
    const first = FIRST + ((process.pid + tries) % PROCESSES) * PER_PROCESS;
    const server = await listen(first);
    if (server === undefined) continue;
    server.unref();
    return first;
  }
  throw new Error('no ports are free');
}

async function listen(port: number): Promise<Server | undefined> {
  const server = createServer();
  const listening = once(server, 'listening').then(
    () => server,
    () => undefined,
  );
  server.listen(port, '127.0.0.1');
  return listening;
}
