import { describe, expect, it } from 'vitest';
import { proxyFromEnvironment } from '../../../../src/cluster/credentials/proxy.ts';

const PROXY = 'http://proxy.example:3128';
const proxyFor = (server: string, environment: Readonly<Record<string, string>>) =>
  proxyFromEnvironment(new URL(server), environment);

describe('the proxy of the environment', () => {
  it.each([
    ['https://c.example:6443', { HTTPS_PROXY: PROXY }, PROXY],
    ['https://c.example:6443', { https_proxy: PROXY }, PROXY],
    ['https://c.example:6443', { HTTPS_PROXY: PROXY, https_proxy: 'http://other' }, PROXY],
    ['https://c.example:6443', { HTTPS_PROXY: '', https_proxy: PROXY }, PROXY],
    ['https://c.example:6443', { HTTPS_PROXY: 'proxy.example:3128' }, PROXY],
    ['https://c.example:6443', { HTTP_PROXY: PROXY }, undefined],
    ['https://c.example:6443', {}, undefined],
    ['http://c.example', { HTTP_PROXY: PROXY, HTTPS_PROXY: 'http://other' }, PROXY],
    ['https://localhost:6443', { HTTPS_PROXY: PROXY }, undefined],
    ['https://127.0.0.1:6443', { HTTPS_PROXY: PROXY }, undefined],
    ['https://[::1]:6443', { HTTPS_PROXY: PROXY }, undefined],
  ])('for %s with %o is %s', (server, environment, proxy) => {
    expect(proxyFor(server, environment)).toBe(proxy);
  });

  it.each([
    ['https://c.example', '*'],
    ['https://c.example', 'c.example'],
    ['https://C.example', ' a.example , C.EXAMPLE'],
    ['https://c.example', 'example'],
    ['https://c.example', '.example'],
    ['https://c.example', '*.example'],
    ['https://c.example:6443', 'c.example:6443'],
    ['https://c.example', 'c.example:443'],
    ['https://10.1.2.3:6443', '10.1.2.3'],
    ['https://10.1.2.3:6443', '10.0.0.0/8'],
    ['https://10.1.2.3:6443', '10.1.2.3:6443'],
    ['https://[fd00::1]:6443', 'fd00::/8'],
    ['https://[fd00::1]:6443', 'fd00::1'],
    ['https://[fd00::1]:6443', '[fd00::1]:6443'],
  ])('is not used for %s with NO_PROXY %s', (server, noProxy) => {
    expect(proxyFor(server, { HTTPS_PROXY: PROXY, NO_PROXY: noProxy })).toBeUndefined();
    expect(proxyFor(server, { HTTPS_PROXY: PROXY, no_proxy: noProxy })).toBeUndefined();
  });

  it.each([
    ['https://c.example', ''],
    ['https://c.example', ','],
    ['https://c.example', 'ample'],
    ['https://example', '.example'],
    ['https://c.example:6443', 'c.example:443'],
    ['https://10.1.2.3', '10.1.2.4'],
    ['https://10.1.2.3', '1.2.3'],
    ['https://10.1.2.3', '11.0.0.0/8'],
    ['https://10.1.2.3', '10.0.0.0/99'],
    ['https://c.example', '10.0.0.0/8'],
    ['https://[fd00::1]', '10.0.0.0/8'],
  ])('is used for %s with NO_PROXY %s', (server, noProxy) => {
    expect(proxyFor(server, { HTTPS_PROXY: PROXY, NO_PROXY: noProxy })).toBe(PROXY);
  });
});
