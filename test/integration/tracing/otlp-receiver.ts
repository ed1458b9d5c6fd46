import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as OTLP has it in JSON. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly status: { readonly code?: number };
  readonly attributes: ReadonlyMap<string, unknown>;
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface Body {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<ReceivedSpan, 'attributes'> & { attributes: readonly Attribute[] })[];
    }[];
  }[];
}

/** A receiver of spans, in this process. */
export interface OtlpReceiver {
  readonly url: string;
  readonly spans: () => readonly ReceivedSpan[];
  /** Attributes of the service, of what came last. */
  readonly resource: () => ReadonlyMap<string, unknown>;
  /** The bodies as they came. */
  readonly text: () => string;
  readonly requests: () => readonly { readonly url: string; readonly authorization: string | undefined }[];
  readonly close: () => Promise<void>;
}

const mapOf = (attributes: readonly Attribute[]): ReadonlyMap<string, unknown> =>
  new Map(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

/** @param answer responds in place of the receiver */
export async function startOtlpReceiver(answer?: RequestListener): Promise<OtlpReceiver> {
  const bodies: string[] = [];
  const requests: { url: string; authorization: string | undefined }[] = [];
  const server = createServer((request, response) => {
    requests.push({ url: request.url ?? '', authorization: request.headers.authorization });
    if (answer !== undefined) {
      request.resume();
      answer(request, response);
      return;
    }
    void request.toArray().then((chunks: Buffer[]) => {
      bodies.push(Buffer.concat(chunks).toString('utf8'));
      response.setHeader('content-type', 'application/json').end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const parsed = (): readonly Body['resourceSpans'][number][] =>
    bodies.flatMap((body) => (JSON.parse(body) as Body).resourceSpans);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () =>
      parsed()
        .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
        .map((span) => ({ ...span, attributes: mapOf(span.attributes) })),
    resource: () => mapOf(parsed().at(-1)?.resource.attributes ?? []),
    text: () => bodies.join('\n'),
    requests: () => requests,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
