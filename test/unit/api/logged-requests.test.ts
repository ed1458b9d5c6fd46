import express from 'express';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { observeRequests, type LoggedRequests } from '../../../src/api/runner/requests.ts';
import { createLogger } from '../../../src/observability/logger.ts';
import { createMetrics } from '../../../src/observability/metrics.ts';
import { eventually } from '../../harness/eventually.ts';

const closing: (() => unknown)[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  for (const close of closing.splice(0)) close();
});

/** The levels of the lines of these requests, in order. */
async function levels(loggedRequests: LoggedRequests, requests: readonly (readonly [string, number])[]) {
  const lines: { level: string; event: string }[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as { level: string; event: string });
  const app = express();
  app.use(
    observeRequests({
      logger: createLogger('trace', { write }),
      loggedRequests,
      metrics: createMetrics('0.0.0'),
    }),
  );
  app.all('/:status', (request, response) => void response.sendStatus(Number(request.params.status)));
  const server = app.listen(0, '127.0.0.1');
  closing.push(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  for (const [method, status] of requests) await fetch(`http://127.0.0.1:${port}/${status}`, { method });
  await eventually(() => {
    expect(lines).toHaveLength(requests.length);
  });
  return lines.map(({ level }) => level);
}

it('writes, refusals and failures are logged at info and above, reads that succeed at debug', async () => {
  const requests = [
    ['GET', 200],
    ['HEAD', 200],
    ['GET', 304],
    ['GET', 404],
    ['GET', 503],
    ['PUT', 200],
    ['DELETE', 200],
  ] as const;
  expect(await levels('notable', requests)).toEqual([
    'debug',
    'debug',
    'debug',
    'info',
    'warn',
    'info',
    'info',
  ]);
});

it('LOG_REQUESTS=all logs every request at info or above', async () => {
  const requests = [
    ['GET', 200],
    ['PUT', 200],
    ['GET', 503],
  ] as const;
  expect(await levels('all', requests)).toEqual(['info', 'info', 'warn']);
});

it('a read of over a second is logged at info', async () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 1_001));
  expect(await levels('notable', [['GET', 200]])).toEqual(['info']);
});
