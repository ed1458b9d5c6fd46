import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ADMIN } from '../../harness/api-client.ts';
import { eventually } from '../../harness/eventually.ts';
import { startInProcessStack } from '../../harness/in-process-stack.ts';
import { startOtlpReceiver } from './otlp-receiver.ts';

const ENDLESS: RequestListener = (_request, response) => {
  const send = (): void => {
    while (response.write('x'.repeat(65_536)));
  };
  response
    .writeHead(200)
    .on('drain', send)
    .on('error', () => undefined);
  send();
};

const HOSTILE: Readonly<Record<string, RequestListener>> = {
  'refuses everything': (_request, response) =>
    void response.writeHead(503, { 'retry-after': '1000000' }).end(),
  'never responds': () => undefined,
  'responds without end': ENDLESS,
  'redirects elsewhere': (_request, response) =>
    void response.writeHead(302, { location: 'http://127.0.0.1:1' }).end(),
};

async function unusedUrl(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return `http://127.0.0.1:${port}`;
}

/** Requests, and the stop of the service, while the receiver is what it is. */
async function serveWith(endpoint: string, reported: RegExp | undefined): Promise<void> {
  const stack = await startInProcessStack({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } });
  try {
    const admin = await stack.client(ADMIN);
    const namespace = await stack.namespace();
    for (let round = 0; round < 20; round++) {
      const { status } = await admin.get(`/api/namespaces/${namespace}/secrets`);
      expect(status).toBe(200);
    }
    if (reported !== undefined) {
      await eventually(async () => {
        expect(await (await fetch(`${stack.opsUrl}/metrics`)).text()).toMatch(reported);
      });
      expect(stack.logLines().filter(({ event }) => event === 'cannot export traces')).toHaveLength(1);
    }
  } finally {
    await stack.close();
  }
  expect(stack.log()).not.toContain('stopping took too long');
}

describe(
  'requests and the stop of the service are as ever when the receiver of traces',
  { timeout: 90_000 },
  () => {
    it.each(Object.entries(HOSTILE))('%s', async (_, answer) => {
      const receiver = await startOtlpReceiver(answer);
      try {
        await serveWith(receiver.url, undefined);
        expect(receiver.requests().length).toBeGreaterThan(0);
      } finally {
        await receiver.close();
      }
    });

    it('is not there, which is logged once and counted', async () => {
      await serveWith(await unusedUrl(), /service_trace_spans_total\{outcome="failed"\} [1-9]/);
    });
  },
);
