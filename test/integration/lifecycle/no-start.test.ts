import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../harness/free-port.ts';
import { withoutLease } from '../../harness/without-lease.ts';
import { openFolderWithCluster, type FolderWithCluster } from './folder-with-cluster.ts';
import { runToEnd } from './run-to-end.ts';

let here: FolderWithCluster;

beforeAll(async () => {
  here = await openFolderWithCluster();
});
afterAll(async () => {
  await here.close();
});

async function occupiedPort(): Promise<number> {
  const server: Server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

describe('a signal before there is anything to stop', () => {
  it.each(['SIGTERM', 'SIGINT'])('%s ends the process with 0', async (signal) => {
    const signals = `import { registerHooks } from 'node:module';
      registerHooks({
        resolve(name, context, next) {
          if (name.endsWith('create-service.js')) process.kill(process.pid, '${signal}');
          return next(name, context);
        },
      });`;
    const flag = `--import=data:text/javascript,${encodeURIComponent(signals)}`;
    const { code, lines } = await runToEnd({ KUBECONFIG: here.kubeconfigFile }, [flag]);
    expect([code, lines]).toEqual([0, []]);
  });
});

describe('a start that cannot be', () => {
  it('names every offending variable at once, never a value, and ends with 1', async () => {
    const { code, stdout, stderr, lines } = await runToEnd({
      KUBECONFIG: here.kubeconfigFile,
      PORT: 'port-value',
      LOG_LEVEL: 'level-value',
      AUTH_DISABLED: 'flag-value',
      OIDC_ISSUER: 'issuer-value',
      SERVICE_HISTORY_LIMIT: '0',
      SERVICE_ANNOTATION_PREFIX: 'Prefix-Value',
      SERVICE_NAMESPACES: 'NAMESPACE-value',
      SERVICE_RATE_LIMIT: 'limit-value',
      TRUST_PROXY: 'proxy-value',
    });
    expect(code).toBe(1);
    expect(stdout).toBe('');
    for (const line of lines) expect(line).toMatchObject({ level: 'error', event: 'cannot start' });
    for (const { problem } of lines) expect(problem).toMatch(/^must be /);
    expect(lines.map(({ variable }) => variable).sort()).toEqual([
      'AUTH_DISABLED',
      'LOG_LEVEL',
      'OIDC_ISSUER',
      'PORT',
      'SERVICE_ANNOTATION_PREFIX',
      'SERVICE_HISTORY_LIMIT',
      'SERVICE_NAMESPACES',
      'SERVICE_RATE_LIMIT',
      'TRUST_PROXY',
    ]);
    expect(stderr).not.toMatch(/-value/i);
  });

  it.each([
    [
      'in production',
      { NODE_ENV: 'production' },
      { variable: 'AUTH_DISABLED', problem: 'must not be true in production' },
    ],
    [
      'with the account of a pod',
      {},
      {
        problem: expect.stringMatching(
          /^AUTH_DISABLED=true is for local development and cannot be used/,
        ) as string,
      },
    ],
  ])('%s is one without sign-in, and ends with 1', async (_where, environment, line) => {
    const KUBECONFIG = withoutLease(here.kubeconfigFile, here.folder); // selects the context of a pod
    const { code, stdout, lines } = await runToEnd({ KUBECONFIG, AUTH_DISABLED: 'true', ...environment });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(lines).toEqual([expect.objectContaining({ event: 'cannot start', ...line })]);
  });

  it.each(['PORT', 'OPS_PORT'])('says that %s is in use, and ends with 1', async (variable) => {
    const [taken, free, other] = [await occupiedPort(), await freePort(), await freePort()];
    const ports = { PORT: String(free), OPS_PORT: String(other), [variable]: String(taken) };
    const { code, lines } = await runToEnd({ KUBECONFIG: here.kubeconfigFile, ...ports });
    expect(lines).toMatchObject([{ event: 'cannot start', problem: `Port ${taken} is in use` }]);
    expect(code).toBe(1);
  });

  it('says that HOST is of another machine, and ends with 1', async () => {
    const environment = { KUBECONFIG: here.kubeconfigFile, HOST: '192.0.2.1', PORT: '0', OPS_PORT: '0' };
    const { code, lines } = await runToEnd(environment);
    expect(lines).toMatchObject([
      { event: 'cannot start', problem: 'HOST is no address of this machine (EADDRNOTAVAIL)' },
    ]);
    expect(code).toBe(1);
  });

  it('says that there is no cluster, and how to name one', async () => {
    const { code, stdout, lines } = await runToEnd({ PORT: '0', OPS_PORT: '0' });
    expect(lines).toMatchObject([
      { problem: expect.stringMatching(/^No cluster was found: set KUBECONFIG, /) as string },
    ]);
    expect([code, stdout]).toEqual([1, '']);
  });

  it('says that KUBECONFIG names no file', async () => {
    const { code, lines } = await runToEnd({ KUBECONFIG: join(here.folder, 'absent') });
    expect(lines).toMatchObject([{ event: 'cannot start', problem: 'KUBECONFIG names no file that exists' }]);
    expect(code).toBe(1);
  });

  it('says that the kubeconfig cannot be read, and quotes nothing of it', async () => {
    const config = here.file('broken', 'users: [{name: a, user: {token: token-value}}\n  - :');
    const { code, stderr, lines } = await runToEnd({ KUBECONFIG: config });
    expect(stderr).not.toContain('token-value');
    expect(lines).toMatchObject([{ event: 'cannot start', problem: 'The kubeconfig cannot be read' }]);
    expect(code).toBe(1);
  });
});

it('a bug ends the process with 1, and a line that has its class and nothing of its message', async () => {
  const bug = 'setTimeout(() => { throw new TypeError("c4n4ry"); }, 300)';
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(bug)}`;
  const { code, stdout, stderr, lines } = await runToEnd({
    KUBECONFIG: here.kubeconfigFile,
    PORT: '0',
    OPS_PORT: '0',
    NODE_OPTIONS,
  });
  expect(code).toBe(1);
  expect(lines).toMatchObject([{ level: 'error', event: 'crashed', kind: 'TypeError' }]);
  expect(stdout + stderr).not.toContain('c4n4ry');
});

it('production does not start with an issuer that is plain http', async () => {
  const env = {
    NODE_ENV: 'production',
    NEXT_PUBLIC_APP_URL: 'https://secrets.example.com',
    OIDC_CLIENT_ID: 'service',
  };
  const { code, lines } = await runToEnd({
    ...env,
    KUBECONFIG: here.kubeconfigFile,
    OIDC_ISSUER: 'HTTP://localhost:9',
    OIDC_ALLOW_HTTP: 'true',
  });
  expect(code).toBe(1);
  expect(lines).toMatchObject([
    { event: 'cannot start', variable: 'OIDC_ISSUER', problem: 'must be https in production' },
  ]);
});
