import { once } from 'node:events';
import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request on its way from the service to the cluster. */
export interface PassingRequest {
  readonly method: string;
  /** Path without the query, as sent. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly accept: string;
  readonly traceparent: string | undefined;
  /** The parsed JSON body; undefined without one. */
  readonly body: unknown;
}

/** A proxy between the service and the cluster: it sees whole requests, and lets something happen in between. */
export interface Interception {
  readonly url: string;
  /** What has passed so far, oldest first. */
  readonly passed: readonly PassingRequest[];
  forget(): void;
  /** Runs `act` once, when the first request that matches arrives, and passes it on only then. */
  before(matches: (request: PassingRequest) => boolean, act: () => Promise<unknown>): void;
  /** Runs `act` once, when the cluster has answered the first request that matches, and answers only then. */
  after(matches: (request: PassingRequest) => boolean, act: () => Promise<unknown>): void;
  /** Keeps every request that matches from the cluster until it is released. */
  hold(matches: (request: PassingRequest) => boolean): Hold;
  close(): Promise<void>;
}

export interface Hold {
  /** How many requests are held now. */
  count(): number;
  /** Passes on what is held, and what comes from now on. */
  release(): void;
}

interface Hook {
  readonly when: 'before' | 'after';
  readonly matches: (request: PassingRequest) => boolean;
  readonly act: () => Promise<unknown>;
}

/** @param refuses requests that are answered 503 instead of being passed on */
export async function interceptCluster(
  target: string,
  refuses: (request: PassingRequest) => boolean = () => false,
): Promise<Interception> {
  const passed: PassingRequest[] = [];
  const hooks = new Hooks();
  const agent = new Agent({ keepAlive: true });
  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bytesOf(incoming);
    const passing = passingRequest(incoming, body);
    if (refuses(passing)) {
      response.writeHead(503).end();
      return;
    }
    passed.push(passing);
    await hooks.run('before', passing);
    await hooks.untilReleased(passing);
    const outgoing = request(new URL(incoming.url ?? '/', target), {
      method: incoming.method,
      headers: incoming.headers,
      agent,
    });
    outgoing.end(body);
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    await hooks.run('after', passing);
    response.writeHead(answer.statusCode ?? 502, answer.headers).flushHeaders();
    // What the cluster cuts is cut here, too.
    answer.once('error', () => response.destroy());
    answer.pipe(response);
  };
  const server = createServer((incoming, response) => {
    handle(incoming, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed,
    forget: () => void passed.splice(0),
    hold: (matches) => hooks.hold(matches),
    before: (matches, act) => {
      hooks.add({ when: 'before', matches, act });
    },
    after: (matches, act) => {
      hooks.add({ when: 'after', matches, act });
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      agent.destroy();
      await closed;
    },
  };
}

/** What tests want to happen to requests on their way. */
class Hooks {
  readonly #hooks = new Set<Hook>();
  readonly #holds = new Set<(passing: PassingRequest) => Promise<void> | undefined>();

  add(hook: Hook): void {
    this.#hooks.add(hook);
  }

  async run(when: Hook['when'], passing: PassingRequest): Promise<void> {
    const hook = [...this.#hooks].find((one) => one.when === when && one.matches(passing));
    if (hook === undefined) return;
    this.#hooks.delete(hook);
    await hook.act();
  }

  hold(matches: Hook['matches']): Hold {
    let count = 0;
    const released = Promise.withResolvers<undefined>();
    const hold = (passing: PassingRequest): Promise<void> | undefined => {
      if (!matches(passing)) return undefined;
      count++;
      return released.promise.finally(() => {
        count--;
      });
    };
    this.#holds.add(hold);
    return {
      count: () => count,
      release: () => {
        this.#holds.delete(hold);
        released.resolve(undefined);
      },
    };
  }

  async untilReleased(passing: PassingRequest): Promise<void> {
    for (const hold of this.#holds) await hold(passing);
  }
}

async function bytesOf(incoming: IncomingMessage): Promise<Buffer> {
  return Buffer.concat((await incoming.toArray()) as Buffer[]);
}

function passingRequest(incoming: IncomingMessage, body: Buffer): PassingRequest {
  const url = new URL(incoming.url ?? '/', 'http://cluster.invalid');
  return {
    method: incoming.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    accept: incoming.headers.accept ?? '',
    traceparent: incoming.headersDistinct['traceparent']?.[0],
    body: body.length === 0 ? undefined : (JSON.parse(body.toString('utf8')) as unknown),
  };
}
