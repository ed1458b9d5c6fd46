import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createLogger } from '../../../src/observability/logger.ts';
import { listen } from '../../../src/server/listen.ts';

const BYTES = 32 * 2 ** 20;

it('a stop waits until a response is sent, which a client may read more slowly than it was written', async () => {
  const listener = await listen((_request, response) => void response.end(Buffer.alloc(BYTES)), {
    ...{ host: '127.0.0.1', port: 0, maxConnections: 10 },
    onRefused: () => undefined,
    logger: createLogger('silent'),
  });
  const response = await fetch(`http://127.0.0.1:${listener.port}/`);
  const stopped = listener.stop();
  await sleep(600);
  expect((await response.arrayBuffer()).byteLength).toBe(BYTES);
  await stopped;
});
