import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An answer of the cluster on its way to the service. */
export interface PassingAnswer {
  readonly method: string;
  /** Path and query of the request. */
  readonly url: URL;
  readonly body: string;
}

export type Rewrite = (answer: PassingAnswer) => string;

/** A proxy between the service and the cluster that can change what the cluster says. */
export interface AnswerRewriter {
  readonly url: string;
  /** From now on answers with status 200 go through this; undefined: as they are. */
  rewrite: Rewrite | undefined;
  close(): Promise<void>;
}

export async function rewriteAnswers(target: string): Promise<AnswerRewriter> {
  const server = createServer((incoming, response) => {
    const pass = async (): Promise<void> => {
      const url = new URL(incoming.url ?? '/', target);
      const sent = Buffer.concat((await incoming.toArray()) as Buffer[]);
      const { method = 'GET' } = incoming;
      const headers = {
        authorization: incoming.headers.authorization ?? '',
        'content-type': incoming.headers['content-type'] ?? '',
      };
      const answer = await fetch(url, { method, headers, ...(sent.length === 0 ? {} : { body: sent }) });
      const body = await answer.text();
      const rewritten = answer.status === 200 ? (rewriter.rewrite?.({ method, url, body }) ?? body) : body;
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(rewritten);
    };
    pass().catch(() => response.destroy());
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
