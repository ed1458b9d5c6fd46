import { once } from 'node:events';
import { connect, constants, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2';
import type { Transport } from './browser.ts';

export interface Http2Transport {
  readonly send: Transport;
  close(): Promise<void>;
}

/**
 * HTTP/2, as browsers speak it: one connection to each origin, and every cookie in a field of its own (RFC 9113, section
 * 8.2.3), so that limits on one field and limits on all of them differ.
 * @param ca the authority that is trusted, in PEM
 */
export function overHttp2(ca: string): Http2Transport {
  const sessions = new Map<string, ClientHttp2Session>();
  const sessionFor = ({ origin }: URL): ClientHttp2Session => {
    const open = sessions.get(origin);
    if (open !== undefined && !open.closed) return open;
    const session = connect(origin, { ca });
    sessions.set(origin, session);
    return session;
  };
  return {
    send: async (url, { method, headers, body }) => {
      const { cookie, ...rest } = headers;
      const stream = sessionFor(url).request({
        ...rest,
        ...(cookie === undefined ? {} : { cookie: cookie.split('; ') }),
        [constants.HTTP2_HEADER_METHOD]: method,
        [constants.HTTP2_HEADER_PATH]: `${url.pathname}${url.search}`,
      });
      stream.end(body);
      const [answer] = (await once(stream, 'response')) as [IncomingHttpHeaders & { ':status'?: number }];
      const text = Buffer.concat((await stream.toArray()) as Buffer[]).toString('utf8');
      const { location, 'set-cookie': setCookies = [] } = answer;
      return { status: answer[':status'] ?? 0, location, setCookies, text };
    },
    close: async () => {
      await Promise.all(
        [...sessions.values()].map(async (session) => {
          const closed = once(session, 'close');
          session.close();
          await closed;
        }),
      );
    },
  };
}
