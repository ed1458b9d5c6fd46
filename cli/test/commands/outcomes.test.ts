import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEVELOPER_A, sessionCookie } from '../../../test/harness/api-client.ts';
import { nativeSecret, secretsPath, snapshotNameOf } from '../../../test/harness/secret-paths.ts';
import type { PassingRequest } from '../../../test/harness/interception.ts';
import { TEST_SESSION_SECRET } from '../../../test/harness/service-process.ts';
import { terminalToken } from '../../../test/harness/terminal-token.ts';
import {
  api,
  asMachine,
  file,
  machineEnvironment,
  namespace,
  openCommandFixture,
  secretsctl,
  stack,
  start,
  stored,
} from '../fixture.ts';
import { startIngress, type Fault, type Ingress } from '../ingress.ts';

openCommandFixture();

let ingress: Ingress;
const open = async (fault: Fault): Promise<void> => {
  ingress = await startIngress(stack.url, fault);
};
beforeEach(() =>
  stack.kube.createSecret(namespace, nativeSecret('database', { password: 'first', user: 'orders' })),
);
afterEach(() => {
  ingress.close();
});

const run = (args: readonly string[], input = 'second') =>
  asMachine(args, { input, environment: { SECRETSCTL_SERVER: ingress.url } });
/** A request of the service to the cluster. */
const isChange = ({ method, path }: PassingRequest) => method !== 'GET' && path.endsWith('/database');
const writes = () => ingress.methods.filter((method) => method !== 'GET');

async function changeMeanwhile(change: object): Promise<void> {
  const secret = await stack.kube.getSecret(namespace, 'database');
  const body = { resourceVersion: secret?.metadata.resourceVersion, ...change };
  expect((await api.patch(secretsPath(namespace, 'database'), body)).status).toBe(200);
}

describe('a conflict', () => {
  it('names who was first and which keys, ends with 6, and saves nothing', async () => {
    await open('none');
    const environment = { ...machineEnvironment(), SECRETSCTL_SERVER: ingress.url };
    const started = start(['set', 'database', 'password=-'], { environment });
    // It has read the Secret, and waits for the value.
    await expect.poll(() => ingress.methods).toEqual(['GET']);
    await changeMeanwhile({ set: { user: 'someone', extra: 'x' } });
    started.type('second');
    const { exitCode, stdout, stderr } = await started.ended();
    expect([exitCode, stdout.toString()]).toEqual([6, '']);
    expect(stderr).toBe(
      `secretsctl: ${namespace}/database was changed by developer-a@example.com meanwhile (version 2); keys: extra, user\nNothing of yours was saved. Read it again.\n`,
    );
    expect(await stored('database')).toMatchObject({ password: Buffer.from('first').toString('base64') });
  });

  it('has the reason of the service where no one was first: a collision', async () => {
    await open('none');
    const { metadata } = (await stack.kube.getSecret(namespace, 'database')) ?? {};
    const snapshot = snapshotNameOf('database', 1, metadata?.uid ?? '');
    await stack.kube.createSecret(namespace, nativeSecret(snapshot));
    const { exitCode, stderr } = await run(['set', 'database', 'password=-']);
    expect([exitCode, stderr]).toEqual([6, expect.stringContaining('An admin must review the history')]);
  });

  it('has the reason of the service where the Secret was deleted, and another has its name', async () => {
    await open('none');
    const another = () => stack.kube.createSecret(namespace, nativeSecret('database'));
    stack.between.after(isChange, another);
    const { exitCode, stderr } = await run(['delete', 'database', '--yes']);
    expect([exitCode, stderr]).toEqual([6, expect.stringContaining('Another Secret with this name')]);
  });

  it('ends with 6 when a Secret to be created exists', async () => {
    await open('none');
    const { exitCode, stderr } = await run(['create', 'database', 'a=-']);
    expect([exitCode, writes()]).toEqual([6, ['POST']]);
    expect(stderr).toContain('exists');
  });
});

describe.each(['answer lost', 'bad gateway'] as const)('a write with "%s"', (fault) => {
  it.each([
    ['set', ['set', 'database', 'password=-'], 'set password (version 2)'],
    ['unset', ['unset', 'database', 'user'], 'removed user (version 2)'],
    ['delete', ['delete', 'database', '--yes'], 'deleted, and kept to be restored'],
    ['create', ['create', 'fresh', 'a=-'], 'created (version 1)'],
  ])('is looked up and reported as done, and is sent once: %s', async (_name, args, what) => {
    await open(fault);
    const { exitCode, stdout } = await run(args);
    expect([exitCode, stdout.toString(), writes()]).toEqual([
      0,
      expect.stringContaining(what),
      [expect.any(String)],
    ]);
  });

  it('is looked up and reported as done: access, by someone who keeps it', async () => {
    await open(fault);
    const cookie = await sessionCookie(DEVELOPER_A, TEST_SESSION_SECRET);
    const environment = {
      SECRETSCTL_SERVER: ingress.url,
      SECRETSCTL_TOKEN_FILE: file('person', await terminalToken(stack.url, cookie)),
    };
    const args = ['access', 'database', '--allow', 'manage=group:team-a', '--yes'];
    const { exitCode, stdout } = await secretsctl(args, { environment });
    expect([exitCode, stdout.toString()]).toEqual([0, expect.stringContaining('(version 2)')]);
  });

  it('is looked up and reported as done: restore', async () => {
    await open(fault);
    await secretsctl(['set', 'database', 'password=-'], { input: 'second' });
    const { exitCode, stdout } = await run(['restore', 'database', '1']);
    expect([exitCode, stdout.toString()]).toEqual([0, expect.stringContaining('(version 3)')]);
  });

  it('ends with 7 where what is stored does not say whose it is: undelete', async () => {
    await open(fault);
    await secretsctl(['delete', 'database', '--yes']);
    const { exitCode, stderr } = await run(['undelete', 'database']);
    expect([exitCode, writes()]).toEqual([7, ['POST']]);
    expect(stderr).toContain(`${namespace}/database exists now`);
  });
});

const FACTS = ['--description', 'd', '--expires-at', '2030-01-01T00:00:00+01:00', '--rotate-every', '90d'];

it('a lost answer to a create with all that can be given is reported as done', async () => {
  await open('answer lost');
  const { exitCode } = await run(['create', 'fresh', 'a=-', '--type', 'example.com/t', ...FACTS]);
  expect(exitCode).toBe(0);
});

describe('a write that is lost on its way', () => {
  it.each([[['--type', 'example.com/t']], [FACTS.slice(0, 2)], [FACTS.slice(2, 4)], [FACTS.slice(4)]])(
    'ends with 7 where someone else has made a Secret with the same values, but not %j',
    async (given) => {
      await open('request lost');
      await stack.kube.createSecret(namespace, nativeSecret('fresh', { a: 'second' }));
      const { exitCode, stdout } = await run(['create', 'fresh', 'a=-', ...given]);
      expect([exitCode, stdout.toString(), writes()]).toEqual([7, '', ['POST']]);
    },
  );

  it('ends with 7, and is not sent again', async () => {
    await open('request lost');
    const { exitCode, stderr } = await run(['set', 'database', 'password=-']);
    expect([exitCode, writes()]).toEqual([7, ['PATCH']]);
    expect(stderr).toBe(
      `secretsctl: ${ingress.url}: the connection was lost; whether your change was made is unknown\nLook before you repeat it: secretsctl history ${namespace}/database\n`,
    );
  });

  it.each([
    ['a proxy', 504, '<h1>Gateway timeout</h1>', 7],
    ['the service', 503, '{"error": "The cluster is unavailable"}', 1],
  ])('and given up by %s, with %i %j, ends with %i', async (_who, status, answer, exitCode) => {
    await open([status, answer]);
    expect(await run(['set', 'database', 'password=-'])).toMatchObject({ exitCode });
  });

  it('ends with 7 where the service has lost the answer of the cluster', async () => {
    await open('none');
    stack.between.before(isChange, () => Promise.reject(new Error('lost')));
    const { exitCode, stderr } = await run(['set', 'database', 'password=-']);
    expect([exitCode, stderr]).toEqual([7, expect.stringContaining('outcome of the change is uncertain')]);
  });

  it('ends with 7 when someone else has changed the Secret since', async () => {
    await open('request lost');
    const environment = { ...machineEnvironment(), SECRETSCTL_SERVER: ingress.url };
    const started = start(['set', 'database', 'password=-'], { environment });
    await expect.poll(() => ingress.methods).toEqual(['GET']);
    await changeMeanwhile({ set: { user: 'someone' } });
    started.type('second');
    const { exitCode, stderr } = await started.ended();
    expect([exitCode, writes()]).toEqual([7, ['PATCH']]);
    expect(stderr).toContain('was changed meanwhile, and does not show whether your change was made');
  });

  it('ends with 1 where the service cannot be reached: nothing was sent', async () => {
    await open('none');
    ingress.close();
    const { exitCode, stderr } = await run(['set', 'database', 'password=-']);
    expect([exitCode, stderr]).toEqual([1, `secretsctl: ${ingress.url}: the connection was refused\n`]);
  });
});
