import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A good answer to a list on its way to the service. */
export interface PassingList {
  /** Path and query as the service sent them. */
  readonly url: URL;
  /** The whole list as the cluster gave it. */
  readonly body: string;
}

/** A proxy between the service and the cluster that can change what the cluster says in lists. */
export interface AnswerRewriter {
  readonly url: string;
  /**
   * From now on lists of Secrets go through this. They are requested whole, so that it can cut pages of its
   * own and hand out continue tokens of its own. Undefined: everything passes as it is.
   */
  rewrite: ((list: PassingList) => string) | undefined;
  close(): Promise<void>;
}

export async function rewriteAnswers(target: string): Promise<AnswerRewriter> {
  const send = async (incoming: IncomingMessage, url: URL) => {
    const sent = Buffer.concat((await incoming.toArray()) as Buffer[]);
    const { authorization = '', 'content-type': type = '' } = incoming.headers;
    const headers = { authorization, 'content-type': type };
    const body = sent.length === 0 ? {} : { body: sent };
    const answer = await fetch(url, { method: incoming.method ?? 'GET', headers, ...body });
    return { status: answer.status, body: await answer.text() };
  };
  const pass = async (
    incoming: IncomingMessage,
  ): Promise<{ readonly status: number; readonly body: string }> => {
    const requested = new URL(incoming.url ?? '/', target);
    const { rewrite } = rewriter;
    const isList =
      incoming.method === 'GET' &&
      requested.pathname.endsWith('/secrets') &&
      !requested.searchParams.has('watch');
    if (rewrite === undefined || !isList) return send(incoming, requested);
    const whole = new URL(requested);
    whole.searchParams.delete('limit');
    whole.searchParams.delete('continue');
    const answer = await send(incoming, whole);
    return { ...answer, body: rewrite({ url: requested, body: answer.body }) };
  };
  const server = createServer((incoming, response) => {
    pass(incoming).then(
      ({ status, body }) => response.writeHead(status, { 'content-type': 'application/json' }).end(body),
      () => response.destroy(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const rewriter: AnswerRewriter = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    rewrite: undefined,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return rewriter;
}
