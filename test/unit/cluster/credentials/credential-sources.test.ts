import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Credentials } from '../../../../src/cluster/credentials/credentials.ts';
import { credentialsOf } from '../../../../src/cluster/credentials/credentials.ts';
import { findKubeconfig } from '../../../../src/cluster/credentials/kubeconfig.ts';
import { codeOf } from '../../../fakes/fake-journal.ts';

let folder: string;
const time = { now: 0, wall: Date.parse('2026-01-02T03:04:05Z') };
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'credentials-'));
  time.now = 0;
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const file = (name: string, text: string): string => {
  const full = path.join(folder, name);
  writeFileSync(full, text);
  return full;
};

function credentialsWith(user: object, environment: Readonly<Record<string, string>> = {}): Credentials {
  const kubeconfig = file(
    'config',
    JSON.stringify({
      clusters: [{ name: 'c', cluster: { server: 'https://c.example', 'tls-server-name': 'inner.example' } }],
      users: [{ name: 'u', user }],
      contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'c',
    }),
  );
  const clock = { now: () => time.now, wallNow: () => time.wall };
  return credentialsOf(findKubeconfig({ kubeconfig }), { PATH: process.env['PATH'], ...environment }, clock);
}

const tokenOf = async (credentials: Credentials) => (await credentials.access()).headers['authorization'];
/** As after ten seconds. */
const later = () => (time.now += 10_000);

describe('a token file', () => {
  it('is found beside the kubeconfig, and read again every ten seconds', async () => {
    file('token', 'first\n');
    const credentials = credentialsWith({ tokenFile: 'token' });
    expect(await tokenOf(credentials)).toBe('Bearer first');
    file('token', 'second\n');
    expect(await tokenOf(credentials)).toBe('Bearer first');
    later();
    expect(await tokenOf(credentials)).toBe('Bearer second');
  });

  it('is read again at once when the cluster has refused its token', async () => {
    file('token', 'first');
    const credentials = credentialsWith({ tokenFile: 'token' });
    const refused = await credentials.access();
    file('token', 'second');
    credentials.forget(refused);
    expect(await tokenOf(credentials)).toBe('Bearer second');
  });

  it('comes before a token in the kubeconfig, which counts while there is no file', async () => {
    const credentials = credentialsWith({ token: 'inline', tokenFile: path.join(folder, 'token') });
    expect(await tokenOf(credentials)).toBe('Bearer inline');
    file('token', 'from the file');
    later();
    expect(await tokenOf(credentials)).toBe('Bearer from the file');
    rmSync(path.join(folder, 'token'));
    later();
    expect(await tokenOf(credentials)).toBe('Bearer from the file');
  });

  it('that does not exist leaves the service without credentials until it does', async () => {
    const credentials = credentialsWith({ tokenFile: 'token' });
    expect(await codeOf(credentials.access())).toBe('unavailable');
    file('token', 'late');
    expect(await tokenOf(credentials)).toBe('Bearer late');
  });
});

const API_VERSION = 'client.authentication.k8s.io/v1';

/** A program beside the kubeconfig; it counts its runs and keeps its environment. */
function plugin(body: string, more: object = {}): object {
  const script = file(
    'plugin',
    `#!/bin/sh\necho run >> "${folder}/runs"\nprintf '%s' "$KUBERNETES_EXEC_INFO" > "${folder}/info"\nenv > "${folder}/env"\n${body}\n`,
  );
  chmodSync(script, 0o755);
  return { exec: { apiVersion: API_VERSION, command: './plugin', ...more } };
}

const prints = (status: object, apiVersion = API_VERSION): string =>
  `cat << 'END'\n${JSON.stringify({ apiVersion, kind: 'ExecCredential', status })}\nEND`;
const runs = (): number => readFileSync(path.join(folder, 'runs'), 'utf8').split('\n').length - 1;

describe('a credential plugin', () => {
  it('is run once while its token is valid, with the notice that no one is at a terminal', async () => {
    const credentials = credentialsWith(plugin(prints({ token: 'made' })));
    expect(await tokenOf(credentials)).toBe('Bearer made');
    later();
    expect(await tokenOf(credentials)).toBe('Bearer made');
    expect(runs()).toBe(1);
    expect(JSON.parse(readFileSync(path.join(folder, 'info'), 'utf8'))).toEqual({
      apiVersion: API_VERSION,
      kind: 'ExecCredential',
      spec: { interactive: false },
    });
  });

  it('is given the cluster where it requests that', async () => {
    const credentials = credentialsWith(plugin(prints({ token: 'made' }), { provideClusterInfo: true }));
    await credentials.access();
    expect(JSON.parse(readFileSync(path.join(folder, 'info'), 'utf8'))).toMatchObject({
      spec: { cluster: { server: 'https://c.example', 'tls-server-name': 'inner.example' } },
    });
  });

  it('is run again shortly before its credential expires', async () => {
    const expirationTimestamp = new Date(time.wall + 60_000).toISOString();
    const credentials = credentialsWith(plugin(prints({ token: 'made', expirationTimestamp })));
    await credentials.access();
    later();
    await credentials.access();
    expect(runs()).toBe(1);
    time.wall += 51_000;
    later();
    await credentials.access();
    expect(runs()).toBe(2);
  });

  it('is run again once when the cluster has refused its credential to many requests', async () => {
    const credentials = credentialsWith(plugin(prints({ token: 'made' })));
    const refused = await credentials.access();
    for (let request = 0; request < 5; request++) {
      credentials.forget(refused);
      await credentials.access();
    }
    expect(runs()).toBe(2);
  });

  it('has its own environment and arguments, and none of the secrets of the service', async () => {
    const environment = {
      SESSION_SECRET: 'x',
      OIDC_CLIENT_SECRET: 'x',
      SESSION_SECRET_PREVIOUS: 'x',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=x',
      OTHER: 'y',
    };
    const user = plugin(`echo "$1" > "${folder}/argument"\n${prints({ token: 'made' })}`, {
      args: ['get-token'],
      env: [{ name: 'REGION', value: 'north' }],
    });
    await credentialsWith(user, environment).access();
    const lines = readFileSync(path.join(folder, 'env'), 'utf8').split('\n');
    expect(lines).toEqual(expect.arrayContaining(['REGION=north', 'OTHER=y']));
    expect(lines.filter((line) => /^(SESSION|OIDC|OTEL)_/.test(line))).toEqual([]);
    expect(readFileSync(path.join(folder, 'argument'), 'utf8')).toBe('get-token\n');
  });

  it('may make a client certificate', async () => {
    const status = { clientCertificateData: 'CERT', clientKeyData: 'KEY' };
    const { tls, headers } = await credentialsWith(plugin(prints(status))).access();
    expect(tls).toMatchObject({ cert: 'CERT', key: 'KEY' });
    expect(headers).toEqual({});
  });

  it('is not run where the kubeconfig has a token', async () => {
    const credentials = credentialsWith({ ...plugin('exit 1'), token: 'inline' });
    expect(await tokenOf(credentials)).toBe('Bearer inline');
  });

  it.each([
    ['fails', plugin, 'echo hunter2 >&2; exit 1', {}],
    ['prints nothing', plugin, 'true', {}],
    ['prints no credential', plugin, prints({}), {}],
    ['prints half a certificate', plugin, prints({ clientCertificateData: 'CERT' }), {}],
    ['prints another version', plugin, prints({ token: 't' }, 'client.authentication.k8s.io/v1beta1'), {}],
    ['prints a time that is none', plugin, prints({ token: 't', expirationTimestamp: 'soon' }), {}],
    ['prints without end', plugin, 'yes', {}],
    ['needs a terminal', plugin, prints({ token: 't' }), { interactiveMode: 'Always' }],
    ['has an unknown version', plugin, prints({ token: 't' }), { apiVersion: 'v3' }],
    ['does not exist', plugin, prints({ token: 't' }), { command: './absent' }],
  ])(
    'that %s leaves the service without credentials, and nothing of its output is logged',
    async (_what, make, body, more) => {
      const failure = await credentialsWith(make(body, more))
        .access()
        .catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: 'unavailable', reason: 'clusterCredentialsUnavailable' });
      expect(String(failure)).not.toContain('hunter2');
    },
  );
});
