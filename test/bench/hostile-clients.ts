import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Clients that mean harm. Each works for so many milliseconds, and leaves no connection behind. */

export const CONNECTIONS = 2_000;
/** Loopback has many addresses: what is bounded for one is not taken from the other person's. */
const ATTACKING_ADDRESS = '127.0.0.2';
/** Between two bytes of those who are slow. */
const DRIP_MS = 1_000;

export interface Target {
  readonly url: string;
  /** Of the session that attacks. */
  readonly cookie: string;
}

export interface Attack {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, unless the headers say otherwise. */
  readonly body?: Buffer;
}

/** Sends the same request again and again, so many at a time. @returns how often each status was answered */
export async function flood(
  { url, cookie }: Target,
  { method = 'GET', path, headers = {}, body }: Attack,
  atOnce: number,
  durationMs: number,
  atMost = Infinity,
): Promise<string> {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce, localAddress: ATTACKING_ADDRESS });
  const statuses = new Map<string, number>();
  const end = performance.now() + durationMs;
  let sent = 0;
  const once = (): Promise<string> =>
    new Promise((resolve) => {
      const type =
        body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.byteLength };
      const outgoing = request(`${url}${path}`, { method, agent, headers: { cookie, ...type, ...headers } });
      outgoing.once('response', (response) => {
        response.resume().once('close', () => {
          resolve(String(response.statusCode));
        });
      });
      // Refused while it was being sent.
      outgoing.once('error', () => {
        resolve('cut');
      });
      outgoing.end(body);
    });
  const work = async (): Promise<void> => {
    while (performance.now() < end && sent < atMost) {
      sent++;
      const status = await once();
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  agent.destroy();
  return [...statuses].map(([status, count]) => `${status}×${count}`).join(' ');
}

/**
 * Updates Secrets, each one again as soon as its last update is answered, with the revision of that answer: so each
 * request archives a version and replaces the Secret. @returns how often each status was answered
 */
export async function updates(
  { url, cookie }: Target,
  paths: readonly string[],
  change: () => object,
  durationMs: number,
): Promise<string> {
  const statuses = new Map<number, number>();
  const end = performance.now() + durationMs;
  const send = async (path: string, init: RequestInit = {}): Promise<string> => {
    const response = await fetch(`${url}${path}`, {
      ...init,
      headers: { cookie, 'content-type': 'application/json' },
    });
    if (init.method !== undefined) statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    return revisionIn(await response.text());
  };
  const work = async (path: string): Promise<void> => {
    let resourceVersion = await send(path);
    while (performance.now() < end && resourceVersion !== '') {
      const body = JSON.stringify({ resourceVersion, ...change() });
      resourceVersion = await send(path, { method: 'PUT', body });
    }
  };
  await Promise.all(paths.map(work));
  return [...statuses].map(([status, count]) => `${status}×${count}`).join(' ');
}

/** Without parsing the whole, which would take the processor that the service is measured on. */
function revisionIn(answer: string): string {
  return /"resourceVersion":"(\d+)"/.exec(answer.slice(0, 4_096))?.[1] ?? '';
}

/** Announces bodies of nearly 16 MiB and sends all but the end of them. */
export async function unfinishedBodies(
  target: Target,
  path: string,
  count: number,
  durationMs: number,
): Promise<void> {
  const length = 16 * 2 ** 20 - 1;
  const part = Buffer.alloc(15 * 2 ** 20, ' ');
  await withSockets(target, count, durationMs, (socket) => {
    socket.resume().write(post(target, path, length));
    socket.write(part);
  });
}

export async function neverUsed(target: Target, _path: string, durationMs: number): Promise<void> {
  await withSockets(target, CONNECTIONS, durationMs, (socket) => void socket.resume());
}

export async function slowHeaders(target: Target, path: string, durationMs: number): Promise<void> {
  await withSockets(target, CONNECTIONS, durationMs, (socket) => {
    socket.resume().write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n`);
    drip(socket, 'X-Slow: yes\r\n');
  });
}

export async function slowBodies(target: Target, path: string, durationMs: number): Promise<void> {
  await withSockets(target, CONNECTIONS, durationMs, (socket) => {
    socket.resume().write(post(target, path, 1_000_000));
    drip(socket, ' ');
  });
}

/** Requests what is long, as many as a connection may, and reads none of it. */
export async function neverRead(
  target: Target,
  path: string,
  durationMs: number,
  count = CONNECTIONS,
): Promise<void> {
  const { host } = new URL(target.url);
  const cookie = target.cookie === '' ? '' : `Cookie: ${target.cookie}\r\n`;
  const one = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${cookie}\r\n`;
  await withSockets(target, count, durationMs, (socket) => {
    socket.pause();
    socket.write(one.repeat(16));
  });
}

/** Opens a connection for each request, one after the other, as people do who come by. @returns how often each status was answered */
export async function newcomers({ url }: Target, path: string, durationMs: number): Promise<string> {
  const statuses = new Map<string, number>();
  const end = performance.now() + durationMs;
  while (performance.now() < end) {
    const status = await new Promise<string>((resolve) => {
      const outgoing = request(`${url}${path}`, { agent: false }, (response) => {
        response.resume().once('close', () => {
          resolve(String(response.statusCode));
        });
      });
      outgoing.once('error', () => {
        resolve('refused');
      });
      outgoing.end();
    });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    await sleep(50);
  }
  return [...statuses].map(([status, count]) => `${status}×${count}`).join(' ');
}

function post({ url, cookie }: Target, path: string, length: number): string {
  const { host } = new URL(url);
  return `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookie}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
}

function drip(socket: Socket, bytes: string): void {
  const timer = setInterval(() => socket.write(bytes), DRIP_MS);
  socket.once('close', () => {
    clearInterval(timer);
  });
}

/** Keeps so many connections open: one that is closed is opened again. */
async function withSockets(
  { url }: Target,
  count: number,
  durationMs: number,
  use: (socket: Socket) => void,
): Promise<void> {
  const { hostname, port } = new URL(url);
  const end = performance.now() + durationMs;
  const sockets = new Set<Socket>();
  const open = (): void => {
    const socket = connect({
      port: Number(port),
      host: hostname,
      family: 4,
      localAddress: ATTACKING_ADDRESS,
    });
    sockets.add(socket);
    socket.on('error', () => undefined); // it was refused or cut, which is the point
    socket.once('connect', () => {
      use(socket);
    });
    socket.once('close', () => {
      sockets.delete(socket);
    });
  };
  while (performance.now() < end) {
    // Not all in one turn: the clients are not to be measured.
    for (let opened = 0; opened < 200 && sockets.size < count; opened++) open();
    await sleep(50);
  }
  for (const socket of sockets) socket.destroy();
}
