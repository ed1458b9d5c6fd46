import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDevCluster, type DevCluster } from '../../../hack/dev-cluster/dev-cluster.ts';
import { openClusterOf } from '../../../hack/e2e/cluster-api.ts';
import { proveOnKind } from '../../../hack/e2e/on-kind.ts';
import type { Tools } from '../../../hack/e2e/tools.ts';
import { freePort } from '../../harness/free-port.ts';

const COMMAND = new URL('../../../hack/e2e.ts', import.meta.url).pathname;

let folder: string;
let dev: DevCluster;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'service-test-'));
  dev = await startDevCluster();
});
afterAll(async () => {
  await dev.close();
  rmSync(folder, { recursive: true });
});

/** The command where none of the tools is found. */
function e2e(kubeconfig: string, overlay = '') {
  const env = { PATH: folder, HOME: folder, E2E_KUBECONFIG: kubeconfig, E2E_OVERLAY: overlay };
  const { status, stdout } = spawnSync(process.execPath, [COMMAND], { env, encoding: 'utf8' });
  return { status, stdout };
}

describe('make e2e that cannot be tried ends with 2', () => {
  it('without kind and an engine: it names what is missing, and what to use instead', () => {
    const { status, stdout } = e2e('');
    expect(stdout).toMatch(
      /neither docker nor podman works; kind is not installed; kubectl is not installed; curl is not installed; openssl is/,
    );
    expect(stdout).toContain('make e2e E2E_KUBECONFIG=.dev/kubeconfig');
    expect(status).toBe(2);
  });

  it('with an overlay and no cluster: it names the setting', () => {
    const { status, stdout } = e2e('', folder);
    expect(stdout).toBe('e2e: E2E_OVERLAY needs a cluster: set E2E_KUBECONFIG, too\n');
    expect(status).toBe(2);
  });

  it('with an overlay that is not there', () => {
    const { status, stdout } = e2e(join(folder, 'kubeconfig'), join(folder, 'absent'));
    expect(stdout).toBe(`e2e: there is no ${join(folder, 'absent')}\n`);
    expect(status).toBe(2);
  });

  it('with the folder of an overlay and without kubectl: it says what to install', () => {
    const { status, stdout } = e2e(join(folder, 'kubeconfig'), folder);
    expect(stdout).toMatch(/^e2e: kubectl 1\.27 or newer is not installed/);
    expect(status).toBe(2);
  });

  it('with a kubeconfig that is not there', () => {
    const { status, stdout } = e2e(join(folder, 'absent'));
    expect(stdout).toBe(`e2e: there is no file ${join(folder, 'absent')}\n`);
    expect(status).toBe(2);
  });

  it('with a cluster that does not answer', async () => {
    const file = join(folder, 'no-one');
    writeFileSync(file, dev.kubeconfig().replaceAll(dev.url, `http://127.0.0.1:${await freePort()}`));
    const { status, stdout } = e2e(file);
    expect(stdout).toBe(`e2e: no cluster answers at ${file}\n`);
    expect(status).toBe(2);
  });
});

/** Tools that work, up to the one that is to fail; the cluster that "kind" makes is a development cluster. */
function recordingTools(failing: string): { readonly tools: Tools; readonly ran: readonly string[] } {
  const ran: string[] = [];
  const tools: Tools = {
    works: () => true,
    isListening: () => Promise.resolve(false),
    run: (program, args) => {
      const words = `${program.split('/').at(-1) ?? ''} ${args.slice(0, 2).join(' ')}`.trim();
      ran.push(words);
      if (words === failing) return Promise.reject(new Error(`${words} failed`));
      const at = args.indexOf('--kubeconfig');
      if (words === 'kind create cluster') writeFileSync(args[at + 1] ?? '', dev.kubeconfig());
      if (program === 'openssl') {
        for (const flag of ['-keyout', '-out'])
          writeFileSync(args[args.indexOf(flag) + 1] ?? '', `of ${flag}`);
      }
      return Promise.resolve();
    },
    start: () => {
      throw new Error('nothing is reached that could be forwarded');
    },
  };
  return { tools, ran };
}

describe('make e2e on kind', () => {
  it('makes no cluster where a port that it needs is in use', async () => {
    const { tools, ran } = recordingTools('');
    const said: string[] = [];
    const taken = { ...tools, isListening: (port: number) => Promise.resolve(port === 3443) };
    expect(await proveOnKind({ tools: taken, say: (line) => void said.push(line) })).toBe(2);
    expect(said[0]).toContain('and here port 3443 is in use.');
    expect(ran).toEqual([]);
  });

  it('makes its nodes of another image where one is named', async () => {
    const { tools } = recordingTools('');
    const images: string[] = [];
    const run: Tools['run'] = (program, args, env) => {
      const at = args.indexOf('--image');
      if (args[0] === 'create') images.push(at < 0 ? 'its own' : (args[at + 1] ?? ''));
      return program === 'kind' && args[0] === 'create'
        ? Promise.reject(new Error('enough'))
        : tools.run(program, args, env);
    };
    for (const nodeImage of ['', 'kindest/node:v1.30.13'])
      await expect(
        proveOnKind({ tools: { ...tools, run }, nodeImage, say: () => undefined }),
      ).rejects.toThrow('enough');
    expect(images).toEqual(['its own', 'kindest/node:v1.30.13']);
  });

  it('removes the cluster also when an image cannot be built', async () => {
    const { tools, ran } = recordingTools('image');
    const proving = proveOnKind({ tools, say: () => undefined });
    await expect(proving).rejects.toThrow('image failed');
    expect(ran).toEqual([
      'kind create cluster',
      expect.stringMatching(/^install-gateway /),
      'image',
      'kind delete cluster',
    ]);
  });

  it('installs everything, and when no pod comes it says what there is, without values, and ends with 1', async () => {
    const { tools, ran } = recordingTools('');
    const said: string[] = [];
    const code = await proveOnKind({ tools, rolloutTimeoutMs: 0, say: (line) => void said.push(line) });
    expect(code).toBe(1);
    expect(ran).toEqual([
      ...['kind create cluster', expect.stringMatching(/^install-gateway --kubeconfig /) as string],
      ...['image', 'docker save --output', 'kind load image-archive'],
      ...['image', 'docker save --output', 'kind load image-archive', 'openssl req -x509'],
      expect.stringMatching(/^kubectl /),
      'kind delete cluster',
    ]);
    expect(said).toContain('the Deployment is not rolled out after 0 seconds');
    const state = said.find((line) => line.startsWith('  secrets-management: '));
    expect(state).toMatch(/secrets\/secrets-management-service,.* deployments\/secrets-management-service/);
    expect(state).toMatch(/ gateways\/secrets-management/);
    expect(said.join('\n')).not.toMatch(/SESSION_SECRET/);
    expect(said.filter((line) => line.includes('not known'))).not.toContainEqual(
      expect.stringMatching(/Gateway|HTTPRoute/),
    );
    const secret = '/api/v1/namespaces/secrets-management/secrets/secrets-management-service-tls';
    const cluster = openClusterOf(dev.kubeconfig());
    try {
      expect(await cluster.insist('GET', secret)).toMatchObject({ type: 'kubernetes.io/tls' });
    } finally {
      await cluster.close();
    }
  }, 180_000); // renders, and sends as a dry run, everything that there is to install
});
