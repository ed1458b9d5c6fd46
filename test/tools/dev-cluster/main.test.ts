import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type Json } from '../../../hack/dev-cluster/json/json.ts';
import { ClusterClient } from './cluster-client.ts';
import { useClusters } from './fixture.ts';
import { runDevCluster, type Running } from '../../harness/program.ts';

const start = useClusters();
const LISTENS = /listens on (\S+)/;

describe('npm run dev:cluster', () => {
  let folder: string;
  const programs: Running[] = [];
  const launch = (...args: string[]): Running => {
    const program = runDevCluster(...args);
    programs.push(program);
    return program;
  };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'dev-cluster-'));
  });
  afterEach(async () => {
    for (const program of programs.splice(0)) {
      program.process.kill('SIGKILL');
      await program.finished;
    }
    await rm(folder, { recursive: true });
  });

  it('writes a kubeconfig with its address and the administrator token, for its owner only', async () => {
    const kubeconfig = join(folder, 'new', 'kubeconfig');
    const program = launch('--port', '0', '--kubeconfig', kubeconfig, '--token', 'my-token');
    const [, url = ''] = await program.seen(LISTENS);
    expect(statSync(kubeconfig).mode & 0o777).toBe(0o600);
    expect(parse(readFileSync(kubeconfig, 'utf8'))).toMatchObject({
      clusters: [{ cluster: { server: url } }],
      users: [{ user: { token: 'my-token' } }],
    });
    expect((await new ClusterClient(url, 'my-token').get('/readyz')).body).toBe('ok');
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'ends at once on %s, with its watches closed and its state kept',
    async (signal) => {
      const state = join(folder, 'state');
      const program = launch('--port', '0', '--state', state);
      const [, url = ''] = await program.seen(LISTENS);
      const client = new ClusterClient(url, 'dev-token');
      const watch = await client.watch('/api/v1/namespaces?watch=true');
      await client.post('/api/v1/namespaces', { metadata: { name: 'kept' } });
      program.process.kill(signal);
      expect((await program.finished).code).toBe(0);
      expect((await watch.end()).how).toBe('cut');
      expect(readFileSync(state, 'utf8')).toContain('"kept"');
    },
  );

  it('says in one line when its port is taken', async () => {
    const { cluster } = await start();
    const port = new URL(cluster.url).port;
    const { code, out, err } = await launch('--port', port).finished;
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err.trim().split('\n')).toEqual([expect.stringContaining(`port ${port} of 127.0.0.1 is in use`)]);
  });

  it('says in one line when its state file is none', async () => {
    const state = join(folder, 'state');
    writeFileSync(state, JSON.stringify(['nothing'] satisfies Json));
    const { code, err } = await launch('--port', '0', '--state', state).finished;
    expect(code).toBe(1);
    expect(err.trim().split('\n')).toHaveLength(1);
  });

  it.each([['--port', 'x'], ['--port', '70000'], ['--colour', 'red'], ['extra']])(
    'explains itself when it is given %s %s',
    async (...args) => {
      const { code, err } = await launch(...args.filter((arg) => typeof arg === 'string')).finished;
      expect(code).toBe(2);
      expect(err).toContain('usage:');
    },
  );
});
