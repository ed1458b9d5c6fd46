import { once } from 'node:events';
import { Agent, createServer, get, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { expect, it } from 'vitest';
import { answerProtocolErrors } from '../../../src/server/protocol-errors.ts';
import { createLogger } from '../../../src/observability/logger.ts';
import { collectGarbage } from '../../harness/collect-garbage.ts';

it('a connection that idles keeps nothing of its last answer', async () => {
  const answers: WeakRef<ServerResponse>[] = [];
  const server = createServer((_request, response) => {
    answers.push(new WeakRef(response));
    response.end('answer');
  });
  answerProtocolErrors(server, createLogger('silent', { write: () => undefined }));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { port } = server.address() as AddressInfo;
  const connection = once(server, 'connection');
  await new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', agent }, (response) => response.resume().once('end', resolve)).once(
      'error',
      reject,
    );
  });
  const [socket] = (await connection) as [Socket];
  await expect
    .poll(() => {
      collectGarbage();
      return answers[0]?.deref();
    })
    .toBeUndefined();
  expect(socket.destroyed).toBe(false);
  agent.destroy();
  server.close();
});
