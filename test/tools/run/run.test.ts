import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_ACCOUNTS } from '../../../hack/dev-idp/accounts.ts';
import { clientFor, type ApiClient } from '../../harness/api-client.ts';
import { eventually } from '../../harness/eventually.ts';
import { createKubeClient, type KubeClient } from '../../harness/kube-client.ts';
import { terminalToken } from '../../harness/terminal-token.ts';
import { secretsPath } from '../../harness/secret-paths.ts';
import {
  freePorts,
  nothingLeft,
  ready,
  shell,
  startMakeRun,
  temporaryFolder,
  type MakeRun,
  type Ports,
} from './make-run.ts';

interface SecretJson {
  readonly name: string;
  readonly resourceVersion: string;
  readonly version: number;
}

describe('make run', () => {
  const folder = temporaryFolder();
  let ports: Ports;
  let url: string;
  let running: MakeRun;
  let kube: KubeClient;

  beforeAll(async () => {
    ports = await freePorts();
    url = `http://localhost:${ports.PORT}`;
    running = startMakeRun(folder.path, ports);
    await ready(running);
    kube = createKubeClient(`${folder.path}/kubeconfig`);
  });
  afterAll(async () => {
    await kube.close();
    running.signal('SIGINT', 'group');
    await nothingLeft(running);
    folder.remove();
  });

  const printed = (): readonly string[] =>
    [...running.stdout().matchAll(/^ {2}(curl .*)$/gm)].map(([, line]) => line ?? '');
  const signIn = (email: string): Promise<string> => shell(`hack/sign-in --account ${email} --url ${url}`);
  async function as(email: string): Promise<{ get: ApiClient['get']; send: ApiClient['send'] }> {
    const cookie = await signIn(email);
    const client = await clientFor(url);
    const send: ApiClient['send'] = (method, path, request) =>
      client.send(method, path, { ...request, headers: { cookie, ...request?.headers } });
    return { send, get: (path) => send('GET', path) };
  }
  const secretIn = (json: unknown): SecretJson => (json as { secret: SecretJson }).secret;

  it('prints the addresses, the accounts with their passwords, and three curl lines', () => {
    const text = running.stdout();
    expect(text).toContain(`The service is ready at ${url}`);
    for (const { email, password } of DEMO_ACCOUNTS)
      expect(text).toMatch(new RegExp(`${email} +${password}`));
    expect(printed()).toHaveLength(3);
    expect(running.stderr()).toBe('');
  });

  it('the curl lines work as printed', async () => {
    const [config, list, create] = await Promise.all(
      printed().map(async (line) => JSON.parse(await shell(line)) as unknown),
    );
    expect(config).toMatchObject({ authDisabled: false, oidcConfigured: true });
    expect(list).toMatchObject({ namespace: 'team-a', canCreate: true });
    expect(create).toMatchObject({ secret: { namespace: 'team-a', keys: ['greeting'], version: 1 } });
  });

  it('shows ten versions by four people over weeks, what expires, and what was deleted', async () => {
    const admin = await as('admin@example.com');
    const { versions } = (await admin.get(secretsPath('team-a', 'database', 'versions'))).json as {
      versions: { lastModifiedBy: string; lastModifiedAt: string }[];
    };
    expect(versions).toHaveLength(10);
    const days = versions.map(({ lastModifiedAt }) => lastModifiedAt.slice(0, 10));
    expect(days).toEqual(days.toSorted().reverse());
    expect(new Set(days).size).toBeGreaterThan(6);
    expect(new Set(versions.map(({ lastModifiedBy }) => lastModifiedBy)).size).toBe(4);
    const { items } = (await admin.get('/api/expiring?within=30d')).json as { items: SecretJson[] };
    expect(items.map(({ name }) => name)).toEqual(['payments-token', 'mail-token', 'metrics-token']);
    const { deleted } = (await admin.get('/api/namespaces/team-a/deleted')).json as { deleted: SecretJson[] };
    expect(deleted.map(({ name }) => name).toSorted()).toEqual(['former-deploy-key', 'old-token']);
  });

  it('readiness and metrics answer where the text says, and the history is kept in order', async () => {
    expect((await fetch(`http://localhost:${ports.OPS_PORT}/readyz`)).status).toBe(200);
    await eventually(async () => {
      const metrics = await fetch(`http://localhost:${ports.OPS_PORT}/metrics`);
      expect(metrics.status).toBe(200);
      expect(await metrics.text()).toMatch(/^service_leader 1$/m);
    });
  });

  it('the lines of the command line work as printed, and those of the README, after a sign-in', async () => {
    const texts = [running.stdout(), readFileSync('README.md', 'utf8')];
    const lines = texts.flatMap((text) =>
      [...text.matchAll(/^ *(cli\/secretsctl .*)$/gm)].map(([, line]) => line ?? ''),
    );
    const token = `${folder.path}/token`;
    writeFileSync(token, await terminalToken(url, await signIn('developer-a@example.com')), { mode: 0o600 });
    const answers: string[] = [];
    for (const line of lines.filter((one) => !one.includes(' login '))) {
      answers.push(await shell(`export SECRETSCTL_SERVER=${url} SECRETSCTL_TOKEN_FILE=${token}; ${line}`));
    }
    const [list, run, search, password = '-', set, runAfter, ...more] = answers;
    expect([lines.length, more]).toEqual([8, []]);
    expect(list).toContain('database');
    expect(run).toContain(`password=${password}`);
    expect(search).toContain('team-a');
    expect(set).toMatch(/set password \(version \d+\)/);
    expect(runAfter).toMatch(/^password=[A-Za-z0-9]{32}$/m);
  });

  it.each(DEMO_ACCOUNTS)(
    '$email signs in without a browser and sees what is theirs',
    async ({ email, name, groups }) => {
      const person = await as(email);
      expect((await person.get('/api/auth/me')).json).toMatchObject({ user: { email, name, groups } });
      const mayAll = groups.includes('platform-admins');
      for (const team of ['team-a', 'team-b']) {
        const { status, json } = await person.get(secretsPath(team));
        expect(status).toBe(200);
        const { secrets, canCreate } = json as { secrets: unknown[]; canCreate: boolean };
        const isOfTeam = mayAll || groups.includes(team);
        // team-a shares two of its Secrets with team-b.
        const sees = isOfTeam || (team === 'team-a' && groups.includes('team-b'));
        expect([secrets.length > 0, canCreate]).toEqual([sees, isOfTeam]);
      }
      const shared = (await person.get(secretsPath('shared'))).json as { secrets: SecretJson[] };
      const names = shared.secrets.map((secret) => secret.name);
      expect(names).toContain('feature-flags');
      expect(names.includes('only-team-a')).toBe(mayAll || groups.includes('team-a'));
    },
  );

  it('a developer creates, lists, reads, updates and deletes, and kubectl sees the snapshots in between', async () => {
    const developer = await as('developer-a@example.com');
    const path = secretsPath('team-a', 'by-hand');
    const snapshots = async () =>
      (await kube.listSecrets('team-a', 'service.io/kind=history')).filter(({ metadata }) =>
        metadata.name.startsWith('by-hand.'),
      );

    const json = { name: 'by-hand', data: { user: 'one' } };
    expect((await developer.send('POST', secretsPath('team-a'), { json })).status).toBe(201);
    const list = (await developer.get(secretsPath('team-a'))).json as { secrets: SecretJson[] };
    expect(list.secrets.map(({ name }) => name)).toContain('by-hand');

    const { resourceVersion } = secretIn((await developer.get(path)).json);
    const updated = await developer.send('PUT', path, { json: { resourceVersion, data: { user: 'two' } } });
    expect(updated.json).toMatchObject({ secret: { version: 2, data: { user: 'two' } } });
    const [snapshot, ...more] = await snapshots();
    expect(more).toEqual([]);
    expect(snapshot).toMatchObject({
      immutable: true,
      data: { user: Buffer.from('one').toString('base64') },
    });

    const revision = secretIn(updated.json).resourceVersion;
    const removed = await developer.send('DELETE', `${path}?resourceVersion=${revision}`);
    expect(removed.json).toMatchObject({ status: 'deleted', history: 'cleaned' });
    expect(await snapshots()).toEqual([]);
    expect((await developer.get(path)).status).toBe(404);
  });

  it('a binary, an immutable and an unmanaged Secret are there to try', async () => {
    const admin = await as('admin@example.com');
    expect((await admin.get(secretsPath('team-a', 'keystore'))).json).toMatchObject({
      secret: { binaryKeys: ['store.p12'] },
    });
    expect((await admin.get(secretsPath('team-b', 'licence'))).json).toMatchObject({
      secret: { immutable: true },
    });
    expect((await admin.get(secretsPath('shared', 'made-with-kubectl'))).json).toMatchObject({
      secret: { managedByService: false },
    });
  });

  it('what the service logs is in the folder, for the owner alone, and without the session', async () => {
    const cookie = await signIn('guest@example.com');
    const log = readFileSync(`${folder.path}/service.log`, 'utf8');
    expect(log).toContain('"event":"started"');
    expect(log).not.toContain(cookie.split('=')[1]);
    for (const file of ['service.log', 'cluster.log', 'idp.log', 'session-secret', 'service-kubeconfig']) {
      expect((statSync(`${folder.path}/${file}`).mode & 0o077).toString(8), file).toBe('0');
    }
  });

  it('has the demo namespaces in scope, and neither default nor its own', async () => {
    const { json } = await (await as('admin@example.com')).get('/api/namespaces');
    const names = (json as { namespaces: { name: string }[] }).namespaces.map(({ name }) => name);
    expect(names).toEqual(['shared', 'team-a', 'team-b']);
  });

  it('hack/demo/conflict changes what someone is editing, and says in two lines what to do and see', async () => {
    const developer = await as('developer-a@example.com');
    const path = secretsPath('team-a', 'database');
    const before = secretIn((await developer.get(path)).json);
    const text = await shell(`DEV_FOLDER=${folder.path} hack/demo/conflict --url ${url} < /dev/null`);
    expect(text.split('\n')).toEqual([
      expect.stringContaining(`${url}/namespaces/team-a/secrets/database/edit`),
      expect.stringContaining('Save'),
    ]);
    const { resourceVersion } = before;
    const json = { resourceVersion, set: { password: 'mine' } };
    expect((await developer.send('PATCH', path, { json })).status).toBe(409);
    const after = secretIn((await developer.get(path)).json);
    expect([after.version, after.resourceVersion === resourceVersion]).toEqual([before.version, false]);
  });

  it('hack/demo/conflict without a cluster says how to start one', async () => {
    await expect(shell(`DEV_FOLDER=${folder.path}/none hack/demo/conflict 2>&1`)).rejects.toMatchObject({
      stdout: expect.stringContaining('make run starts it') as string,
    });
  });

  it('a second start on the same ports is one clear message for each, and disturbs nothing', async () => {
    const other = temporaryFolder();
    const second = startMakeRun(other.path, ports);
    expect(await second.ended).toBe(1);
    for (const [variable, port] of Object.entries(ports)) {
      expect(second.stderr()).toContain(
        `Port ${String(port)} is in use. Choose another with ${variable}=…\n`,
      );
    }
    expect(second.stdout()).toBe('');
    expect((await fetch(`${url}/api/config`)).status).toBe(200);
    other.remove();
  });

  it('a second start in the same folder, on other ports, says so, and leaves the state alone', async () => {
    const second = startMakeRun(folder.path, await freePorts());
    expect(await second.ended).toBe(1);
    expect(second.stderr()).toBe(
      `${folder.path} is in use by the cluster at http://127.0.0.1:${ports.DEV_CLUSTER_PORT}. ` +
        'Choose another folder with DEV_FOLDER=…\n',
    );
  });

  it('after Ctrl-C nothing is left running, and a second run shows the same Secrets to the same sessions', async () => {
    const admin = await as('admin@example.com');
    const contents = async () => {
      const answers = await Promise.all(
        ['team-a', 'team-b', 'shared'].map((place) => admin.get(secretsPath(place))),
      );
      return answers.map(({ text }) => text);
    };
    const before = await contents();
    running.signal('SIGINT', 'group');
    expect(await running.ended).toBe(0);
    await nothingLeft(running);
    await expect(fetch(url)).rejects.toThrow();

    running = startMakeRun(folder.path, ports);
    await ready(running);
    expect(await contents()).toEqual(before);
  });
});
