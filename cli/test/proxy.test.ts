import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createSend } from '../src/service/http.ts';

/** What came to a proxy that refuses everything. */
let seen: string[];
let server: ReturnType<typeof createServer>;
let proxy: string;

beforeEach(async () => {
  seen = [];
  server = createServer((request, response) => {
    seen.push(request.url ?? '');
    response.end();
  });
  server.on('connect', (request, socket) => {
    seen.push(request.url ?? '');
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  proxy = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.close();
});

const request = (url: string) => ({ method: 'GET', url, headers: {} });

it.each(['', 'http://', 'HTTP://'])(
  'sends through a proxy whose address begins with "%s"',
  async (scheme) => {
    const send = createSend({ HTTPS_PROXY: `${scheme}${proxy}` });
    await expect(send(request('https://secrets.invalid/'))).rejects.toThrow('the connection failed');
    expect(seen).toEqual(['secrets.invalid:443']);
  },
);

it.each(['socks5://localhost:1080', 'a b'])('refuses the proxy %s, and names its variable', (address) => {
  const refused: unknown = expect.objectContaining({
    exitCode: 2,
    message: expect.stringContaining('https_proxy') as string,
  });
  expect(() => createSend({ https_proxy: address })).toThrow(refused);
});

it('sends plain http, which is of loopback alone, directly', async () => {
  const send = createSend({ HTTP_PROXY: `http://${proxy}`, http_proxy: `http://${proxy}` });
  expect(await send(request(`http://${proxy}/direct`))).toMatchObject({ status: 200 });
  expect(seen).toEqual(['/direct']);
});
