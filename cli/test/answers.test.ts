import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { makeCertificate } from '../../test/fakes/certificate.ts';
import { readSecret } from '../src/secrets/secrets.ts';
import { createSend } from '../src/service/http.ts';
import type { Service } from '../src/service/service.ts';

const VARIABLE = 'NODE_TLS_REJECT_UNAUTHORIZED';

afterEach(() => {
  Reflect.deleteProperty(process.env, VARIABLE);
});

it.each(['../escaped', 'a\nb', '$(id)', ''])(
  'refuses the key %j of an answer, which would become a path or text of a shell',
  async (key) => {
    for (const values of [
      { data: { [key]: 'canary' }, binaryData: {} },
      { data: {}, binaryData: { [key]: 'AA==' } },
    ]) {
      const service = { send: () => Promise.resolve({ secret: values }) } as unknown as Service;
      await expect(readSecret(service, { namespace: 'team', name: 'database' })).rejects.toThrow(
        'the answer has a malformed key',
      );
    }
  },
);

it('verifies the certificate of the service whatever NODE_TLS_REJECT_UNAUTHORIZED says', async () => {
  const { cert, key } = makeCertificate('localhost');
  const server = createServer({ cert, key }, (_request, response) => response.end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.env[VARIABLE] = '0';
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await expect(createSend({})({ method: 'GET', url, headers: {} })).rejects.toThrow('certificate');
  server.close();
});
