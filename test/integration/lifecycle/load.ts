import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ADMIN, sessionCookie } from '../../harness/api-client.ts';

/** What people do all day: reading, listing, and writing each their own Secret. */
export interface Load {
  /** Requests that were answered as they should be. */
  done(): number;
  /** Everything else: the request in words, and the status or the code of the failure. */
  failures(): readonly string[];
  stop(): Promise<void>;
}

interface Answered {
  readonly status: number;
  readonly json: unknown;
}

type Sender = (method: string, path: string, json?: object) => Promise<Answered>;

/** A client that does not send the next request before the last is answered still leaves the machine to others. */
const PACE_MS = 100;
const TIMEOUT_MS = 20_000;

/** @param path where the Secrets are; the load creates its own there */
export async function startLoad(url: string, path: string, people = 3): Promise<Load> {
  const cookie = await sessionCookie(ADMIN);
  const keepAlive = new Agent({ keepAlive: true, scheduling: 'fifo' });
  const ended: string[] = [];
  let done = 0;
  let over = false;
  const senderOf =
    (agent: Agent | false): Sender =>
    async (method, to, json) => {
      const answer = await send(url + to, method, cookie, agent, json).catch((error: unknown) => {
        ended.push(`${method} ${to}: ${(error as NodeJS.ErrnoException).code ?? 'no answer'}`);
        return undefined;
      });
      if (answer === undefined) return { status: 0, json: undefined };
      if (answer.status === (method === 'POST' ? 201 : 200)) done++;
      else ended.push(`${method} ${to}: ${answer.status}`);
      return answer;
    };
  const again = async (step: () => Promise<void>) => {
    while (!over) {
      await step();
      await sleep(PACE_MS);
    }
  };
  const lasting = senderOf(keepAlive);
  const running = [
    ...Array.from({ length: people }, (_one, n) => write(lasting, `${path}/load-${n}`, path, again)),
    ...Array.from({ length: people }, (_one, n) => again(() => read(lasting, `${path}/load-${n}`))),
    again(() => read(lasting, path)),
    // Someone without keep-alive, such as curl: each request is a connection of its own.
    again(() => read(senderOf(false), path)),
  ];
  return {
    done: () => done,
    failures: () => ended,
    async stop() {
      over = true;
      await Promise.all(running);
      keepAlive.destroy();
    },
  };
}

async function read(call: Sender, path: string): Promise<void> {
  await call('GET', path);
}

/** Writes under the revision that the last answer gave, so that every lost or repeated write shows as a conflict. */
async function write(
  call: Sender,
  path: string,
  parent: string,
  again: (step: () => Promise<void>) => Promise<void>,
): Promise<void> {
  let { resourceVersion } = secretIn(await call('GET', path));
  let round = 0;
  await again(async () => {
    const json = { resourceVersion, data: { round: String(round++) } };
    resourceVersion = secretIn(await call('PUT', path, json)).resourceVersion ?? resourceVersion;
    if (round % 25 === 0) await call('POST', parent, { name: `made-${path.split('-').at(-1)}-${round}` });
  });
}

function secretIn({ json }: Answered): { readonly resourceVersion?: string } {
  return (json as { secret?: { resourceVersion?: string } } | undefined)?.secret ?? {};
}

function send(
  url: string,
  method: string,
  cookie: string,
  agent: Agent | false,
  json: object | undefined,
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const headers = { cookie, ...(json === undefined ? {} : { 'content-type': 'application/json' }) };
    const sent = request(url, { method, agent, headers, timeout: TIMEOUT_MS }, (response) => {
      response.toArray().then((chunks) => {
        const text = Buffer.concat(chunks as Buffer[]).toString('utf8');
        resolve({ status: response.statusCode ?? 0, json: JSON.parse(text) as unknown });
      }, reject);
    });
    sent.on('error', reject);
    sent.on('timeout', () => {
      sent.destroy(Object.assign(new Error('no answer in time'), { code: 'TIMEOUT' }));
    });
    sent.end(json === undefined ? undefined : JSON.stringify(json));
  });
}
