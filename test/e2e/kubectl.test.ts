import { execFileSync, spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { errorOf } from '../harness/answers.ts';
import { nativeSecret } from '../harness/secret-paths.ts';
import { GUEST, freshNamespaces, secretsIn, WITHIN_MS } from './fixture.ts';
import { eventually } from '../harness/eventually.ts';

/** Someone who works on the same objects without the service. */
interface Other {
  apply(namespace: string, secret: object): Promise<unknown>;
  annotate(namespace: string, name: string, key: string, value: string): Promise<unknown>;
  remove(namespace: string, name: string): Promise<unknown>;
}

const here = freshNamespaces();

const CLIENT: Other = {
  apply: async (home, secret) => {
    const { name } = (secret as { metadata: { name: string } }).metadata;
    const isThere = (await here.fixture.kube.getSecret(home, name)) !== undefined;
    return isThere
      ? here.fixture.kube.patchSecret(home, name, secret)
      : here.fixture.kube.createSecret(home, secret);
  },
  annotate: (home, name, key, value) =>
    here.fixture.kube.patchSecret(home, name, { metadata: { annotations: { [key]: value } } }),
  remove: (home, name) => here.fixture.kube.deleteSecret(home, name),
};

const KUBECTL: Other = {
  apply: (home, secret) =>
    kubectl(['apply', '--namespace', home, '-f', '-'], {
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'Opaque',
      ...secret,
    }),
  annotate: (home, name, key, value) =>
    kubectl(['annotate', '--overwrite', '--namespace', home, `secret/${name}`, `${key}=${value}`]),
  remove: (home, name) => kubectl(['delete', '--namespace', home, `secret/${name}`]),
};

function kubectl(args: readonly string[], input?: object): Promise<unknown> {
  const options = { input: input === undefined ? '' : JSON.stringify(input), stdio: 'pipe' } as const;
  return Promise.resolve(
    execFileSync('kubectl', ['--kubeconfig', here.fixture.adminKubeconfig, ...args], options),
  );
}

/** A client that does what kubectl does, and kubectl itself where it is installed. */
const OTHERS: readonly (readonly [string, Other])[] = [
  ['a client', CLIENT],
  ...(spawnSync('kubectl', ['version', '--client']).status === 0 ? [['kubectl', KUBECTL] as const] : []),
];

describe.each(OTHERS)('%s outside the service', (_who, other) => {
  const secret = (value: string): object => nativeSecret('a', { key: value });

  it('creates what the service shows and adopts with the first update, the former state archived', async () => {
    await other.apply(here.namespace, secret('by hand'));
    expect(await here.secrets.read('a')).toMatchObject({ managedByService: false, data: { key: 'by hand' } });
    expect(await here.secrets.update('a', { data: { key: 'adopted' } })).toMatchObject({
      managedByService: true,
      version: 2,
    });
    expect(await here.secrets.versions('a')).toEqual([1]);
  });

  it('changes what someone is editing: the update is a conflict, and nothing is lost', async () => {
    const { resourceVersion } = await here.secrets.create('a');
    await other.apply(here.namespace, secret('meanwhile'));
    errorOf(await here.admin.put(here.secrets.path('a'), { resourceVersion, data: { key: 'mine' } }), 409);
    expect((await here.secrets.read('a')).data).toEqual({ key: 'meanwhile' });
  });

  it('changes the access rules by annotation, which hold at once', async () => {
    const guest = await here.fixture.signIn(GUEST);
    await here.secrets.create('a', { allowedGroups: ['team-a'] });
    errorOf(await guest.get(here.secrets.path('a')), 403);
    await other.annotate(here.namespace, 'a', `${here.fixture.annotationPrefix}/allowed-users`, GUEST);
    expect((await guest.get(here.secrets.path('a'))).status).toBe(200);
  });

  it('deletes and creates again: the history stays with what is gone', async () => {
    await here.secrets.createWithHistory('a', 2);
    await other.remove(here.namespace, 'a');
    errorOf(await here.admin.get(here.secrets.path('a')), 404);
    await other.apply(here.namespace, secret('another'));
    expect(await here.secrets.versions('a')).toEqual([]);
  });

  it('is seen in lists: what it creates, changes and deletes', async () => {
    const listed = async () =>
      secretsIn(await here.admin.get(here.secrets.path())).map(
        ({ name, description }) => `${name} ${description}`,
      );
    const becomes = (wanted: readonly string[]) =>
      eventually(async () => {
        expect(await listed()).toEqual(wanted);
      }, WITHIN_MS);
    await other.apply(here.namespace, secret('value'));
    await becomes(['a ']);
    await other.annotate(here.namespace, 'a', `${here.fixture.annotationPrefix}/description`, 'changed');
    await becomes(['a changed']);
    await other.remove(here.namespace, 'a');
    await becomes([]);
  });
});

it('a list shows every write through the service at once', async () => {
  for (let round = 1; round <= 10; round++) {
    const { resourceVersion } = await here.secrets.create(`s-${round}`);
    const inList = async () =>
      secretsIn(await here.admin.get(here.secrets.path())).find(({ name }) => name === `s-${round}`);
    expect(await inList()).toMatchObject({ version: 1, resourceVersion });
    const updated = await here.secrets.update(`s-${round}`, { data: { key: 'new' } });
    expect(await inList()).toMatchObject({ version: 2, resourceVersion: updated.resourceVersion });
    await here.admin.delete(here.secrets.deletePath(`s-${round}`, updated.resourceVersion));
    expect(await inList()).toBeUndefined();
  }
});
