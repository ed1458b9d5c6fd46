import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  credentialsOf,
  loadCredentials,
  parseCredentials,
} from '../../../../src/cluster/credentials/credentials.ts';
import { findKubeconfig, parseKubeconfig } from '../../../../src/cluster/credentials/kubeconfig.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kubeconfig-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

interface Named {
  readonly name: string;
  readonly server?: string;
  readonly cluster?: object;
  readonly user?: object;
  readonly current?: boolean;
}

function configText({
  name,
  server = `https://${name}.example:6443`,
  cluster,
  user,
  current = true,
}: Named): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server, ...cluster } }],
    users: [{ name, user: user ?? { token: `token-of-${name}` } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    ...(current && { 'current-context': name }),
  });
}

function write(file: string, text: string): string {
  const full = path.join(folder, file);
  mkdirSync(path.dirname(full), { recursive: true });
  writeFileSync(full, text);
  return full;
}

const home = () => path.join(folder, 'home');
const root = () => path.join(folder, 'root');

describe('findKubeconfig', () => {
  const serverOf = (kubeconfig?: string): string =>
    loadCredentials({ kubeconfig, home: home(), root: root() }).server;

  function writeServiceAccount(): void {
    const place = 'root/var/run/secrets/kubernetes.io/serviceaccount';
    write(`${place}/token`, 'pod-token\n');
    write(`${place}/ca.crt`, 'ca');
    vi.stubEnv('KUBERNETES_SERVICE_HOST', '10.0.0.1');
    vi.stubEnv('KUBERNETES_SERVICE_PORT', '443');
  }

  it('prefers KUBECONFIG to ~/.kube/config, and that to the service account of the pod', () => {
    writeServiceAccount();
    expect(serverOf()).toBe('https://10.0.0.1:443'.replace(':443', ''));
    write('home/.kube/config', configText({ name: 'home' }));
    expect(serverOf()).toBe('https://home.example:6443');
    expect(serverOf('')).toBe('https://home.example:6443');
    expect(serverOf(write('named', configText({ name: 'named' })))).toBe('https://named.example:6443');
  });

  it('signs in with the token of the pod, without the newline at its end', async () => {
    writeServiceAccount();
    const access = await loadCredentials({ kubeconfig: undefined, home: home(), root: root() }).access();
    expect(access.headers['authorization']).toBe('Bearer pod-token');
    expect(String(access.tls.ca)).toBe('ca');
  });

  it('lets the first of several files win, and passes over those that are absent', () => {
    const files = [
      path.join(folder, 'absent'),
      write('one', configText({ name: 'one', current: false })),
      write('two', configText({ name: 'two' })),
      write('three', configText({ name: 'two', server: 'https://never.example' })),
    ];
    const config = findKubeconfig({ kubeconfig: files.join(path.delimiter) });
    expect(config.getCurrentContext()).toBe('two');
    expect(config.getCurrentCluster()?.server).toBe('https://two.example:6443');
    expect(config.getClusters().map(({ name }) => name)).toEqual(['one', 'two']);
  });

  it('finds files that a kubeconfig names beside itself', async () => {
    write('configs/ca.pem', 'the CA');
    const file = write(
      'configs/config',
      configText({ name: 'one', cluster: { 'certificate-authority': 'ca.pem' } }),
    );
    const { tls } = await loadCredentials({ kubeconfig: file }).access();
    expect(String(tls.ca)).toBe('the CA');
  });

  it.each([
    ['nothing is there', () => undefined, 'clusterNotFound'],
    ['KUBECONFIG names no file', () => path.join(folder, 'absent'), 'kubeconfigMissing'],
    ['the file is no YAML', () => write('bad', 'hunter2: [\n'), 'kubeconfigMalformed'],
    ['the file is no kubeconfig', () => write('bad', 'hunter2'), 'contextMissing'],
    ['the file is empty', () => write('bad', ''), 'kubeconfigMalformed'],
    [
      'no context is current',
      () => write('bad', configText({ name: 'a', current: false })),
      'contextMissing',
    ],
    [
      'the address is no URL',
      () => write('bad', configText({ name: 'a', server: 'hunter2' })),
      'serverMalformed',
    ],
    [
      'the address is not http',
      () => write('bad', configText({ name: 'a', server: 'ftp://a' })),
      'serverMalformed',
    ],
    [
      'the proxy is not http',
      () => write('bad', configText({ name: 'a', cluster: { 'proxy-url': 'socks5://hunter2' } })),
      'proxyUnsupported',
    ],
  ])('says so when %s, and quotes nothing', (_what, kubeconfig, reason) => {
    expect(() => loadCredentials({ kubeconfig: kubeconfig(), home: home(), root: root() })).toThrow(
      expect.objectContaining({
        code: 'notConfigured',
        reason,
        message: expect.not.stringContaining('hunter2') as string,
      }),
    );
  });
});

describe('credentials', () => {
  it('keep a path of the server, without the slash at its end', () => {
    const { server } = parseCredentials(configText({ name: 'a', server: 'https://a.example/k8s/c-1/' }));
    expect(server).toBe('https://a.example/k8s/c-1');
  });

  it.each([
    ['a token', { token: 't' }, { authorization: 'Bearer t' }],
    ['a name and a password', { username: 'u', password: 'p' }, { authorization: 'Basic dTpw' }],
    ['nothing', {}, {}],
    [
      'another identity',
      { token: 't', as: 'robot' },
      { authorization: 'Bearer t', 'impersonate-user': 'robot' },
    ],
  ])('sign in with %s', async (_what, user, headers) => {
    expect((await parseCredentials(configText({ name: 'a', user })).access()).headers).toEqual(headers);
  });

  it.each(['http://127.0.0.1:8001', 'http://localhost:8001', 'http://[::1]:8001'])(
    'are sent to %s',
    async (server) => {
      const { headers } = await parseCredentials(configText({ name: 'a', server })).access();
      expect(headers['authorization']).toBe('Bearer token-of-a');
    },
  );

  it.each(['http://10.0.0.1:8080', 'http://127.0.0.1.example', 'http://localhost.example'])(
    'are never sent in clear text to %s',
    async (server) => {
      expect((await parseCredentials(configText({ name: 'a', server })).access()).headers).toEqual({});
    },
  );

  it("take over the cluster's CA, name and laxity, with or without a user", async () => {
    const cluster = {
      'certificate-authority-data': Buffer.from('the CA').toString('base64'),
      'tls-server-name': 'inner.example',
      'insecure-skip-tls-verify': true,
    };
    for (const context of ['a', 'no-one']) {
      const text = configText({ name: 'a', cluster }).replace('"user":"a"', `"user":"${context}"`);
      const { tls } = await parseCredentials(text).access();
      expect(String(tls.ca)).toBe('the CA');
      expect(tls).toMatchObject({ servername: 'inner.example', rejectUnauthorized: false });
    }
  });

  it("go through the kubeconfig's proxy, otherwise through that of the environment", () => {
    const environment = { HTTPS_PROXY: 'http://of-the-environment:3128' };
    const proxyOf = (cluster: object, given = environment) =>
      credentialsOf(parseKubeconfig(configText({ name: 'a', cluster })), given).proxyUrl;
    expect(proxyOf({})).toBe('http://of-the-environment:3128');
    expect(proxyOf({ 'proxy-url': 'http://own:3128' })).toBe('http://own:3128');
    expect(() => proxyOf({}, { HTTPS_PROXY: 'socks5://proxy' })).toThrow('Only http proxies');
  });

  it('verify the server unless configured otherwise', async () => {
    const { tls } = await parseCredentials(configText({ name: 'a' })).access();
    expect(tls.rejectUnauthorized).not.toBe(false);
  });
});
