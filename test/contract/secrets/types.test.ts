import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readFileSync } from 'node:fs';
import { errorOf, jsonOf, secretOf } from '../../harness/answers.ts';
import { nativeSecret, secretsPath, stateOf } from '../../harness/secret-paths.ts';
import { openStack, type Stack } from '../../harness/stack.ts';
import { eventually } from '../../harness/eventually.ts';
import { annotation } from '../../harness/annotation.ts';

interface Recording {
  readonly id: string;
  readonly method: string;
  readonly body?: { readonly type?: string; readonly data?: Readonly<Record<string, string>> };
  readonly answer: { readonly status: number };
}

interface TypeCase {
  readonly type: string;
  readonly data: Readonly<Record<string, string>>;
  readonly status: number;
}

/** What a real cluster answered to a Secret of each type. */
const RECORDED: readonly TypeCase[] = recorded();
/** The other spelling of the built-in types; the cluster itself takes it for a custom type. */
const RESPELLED = RECORDED.filter(({ type }) => type.startsWith('kubernetes.io/')).map((one) => ({
  ...one,
  type: one.type.replace('kubernetes.io/', 'platform.io/'),
}));
const LONG_TYPE = `example.com/${'x'.repeat(600)}`;
const ACCOUNT_TOKENS = ['kubernetes.io/service-account-token', 'platform.io/service-account-token'];

let stack: Stack;
let namespace: string;
let next = 0;

beforeAll(async () => {
  stack = await openStack();
  namespace = await stack.namespace();
});
afterAll(() => stack.close());

const freshName = () => `t${++next}`;
const create = (type: string | undefined, data: object) =>
  stack.admin.post(secretsPath(namespace), {
    name: freshName(),
    data,
    ...(type === undefined ? {} : { type }),
  });
const shown = ({ type, data, status }: TypeCase) =>
  [`${shortened(type)} ${JSON.stringify(data)}`, status] as const;

describe('type rules on create', () => {
  it.each([...RECORDED, ...RESPELLED].map((one) => [...shown(one), one] as const))(
    '%s is answered %i, as a real cluster does',
    async (_what, status, { type, data }) => {
      const before = await stateOf(stack.kube, namespace);
      const answer = await create(type, data);
      if (status === 201) {
        expect(secretOf(answer, 201).type).toBe(type === '' ? 'Opaque' : type);
      } else {
        expect(errorOf(answer, 422)).not.toMatch(/[{[]/);
        expect(await stateOf(stack.kube, namespace)).toEqual(before);
      }
    },
  );

  it('the type of a Secret that is created without one is Opaque', async () => {
    expect(secretOf(await create(undefined, {}), 201).type).toBe('Opaque');
  });

  it('additional keys are allowed', async () => {
    const data = { 'tls.crt': '', 'tls.key': '', 'ca.crt': 'more' };
    expect(secretOf(await create('kubernetes.io/tls', data), 201).keyCount).toBe(3);
  });

  it('a custom type has no 64-character cap, and is stored as it was given', async () => {
    const { name } = secretOf(await create(LONG_TYPE, { any: 'thing' }), 201);
    expect((await stack.kube.getSecret(namespace, name))?.type).toBe(LONG_TYPE);
  });

  it('a bootstrap token keeps unconstrained data', async () => {
    const created = secretOf(await create('bootstrap.kubernetes.io/token', { anything: 'goes' }), 201);
    expect(created.type).toBe('bootstrap.kubernetes.io/token');
  });

  it('the neutral spelling is stored and returned as given, never translated', async () => {
    const { name } = secretOf(await create('platform.io/basic-auth', { username: '' }), 201);
    expect((await stack.kube.getSecret(namespace, name))?.type).toBe('platform.io/basic-auth');
    expect(secretOf(await stack.admin.get(secretsPath(namespace, name))).type).toBe('platform.io/basic-auth');
  });

  it('a native type name that only resembles a built-in one is a custom type', async () => {
    for (const type of [
      'Kubernetes.io/tls',
      'kubernetes.io/tls2',
      'x.kubernetes.io/tls',
      'tls',
      'toString',
    ]) {
      expect(secretOf(await create(type, {}), 201).type).toBe(type);
    }
  });

  it('type rules are checked after stringData is merged', async () => {
    const body = {
      name: freshName(),
      type: 'platform.io/tls',
      data: { 'tls.crt': 'c' },
      stringData: { 'tls.key': 'k' },
    };
    expect(secretOf(await stack.admin.post(secretsPath(namespace), body), 201).keys).toEqual([
      'tls.crt',
      'tls.key',
    ]);
  });
});

describe('type rules on update', () => {
  it.each([...RECORDED, ...RESPELLED].filter(isDataRule).map((one) => [...shown(one), one] as const))(
    'replacing data by %s is answered %i, or 200, before any snapshot',
    async (_what, status, { type, data }) => {
      const valid = RECORDED.find(
        (one) => one.type === type.replace('platform.io/', 'kubernetes.io/') && one.status === 201,
      );
      const created = secretOf(await create(type, valid?.data ?? {}), 201);
      const before = await stateOf(stack.kube, namespace);
      const body = { resourceVersion: created.resourceVersion, data };
      const answer = await stack.admin.put(secretsPath(namespace, created.name), body);
      if (status === 201) {
        expect(secretOf(answer).version).toBe(2);
      } else {
        errorOf(answer, 422);
        expect(await stateOf(stack.kube, namespace)).toEqual(before);
      }
    },
  );

  it('a metadata-only update of a Secret that breaks its type is refused, too', async () => {
    const name = freshName();
    await stack.kube.createSecret(namespace, nativeSecret(name, {}, { type: 'platform.io/tls' }));
    const { resourceVersion } = secretOf(await stack.admin.get(secretsPath(namespace, name)));
    const body = { resourceVersion, description: 'still not one' };
    errorOf(await stack.admin.put(secretsPath(namespace, name), body), 422);
  });
});

describe('type rules on restore', () => {
  it('a version whose data breaks the type is not restored', async () => {
    const name = freshName();
    await stack.kube.createSecret(
      namespace,
      nativeSecret(name, { other: 'x' }, { type: 'platform.io/ssh-auth' }),
    );
    const path = secretsPath(namespace, name);
    const { resourceVersion } = secretOf(await stack.admin.get(path));
    const repaired = { resourceVersion, data: { 'ssh-privatekey': 'k' } };
    const updated = secretOf(await stack.admin.put(path, repaired));
    const before = await stateOf(stack.kube, namespace);
    const restore = { resourceVersion: updated.resourceVersion, version: 1 };
    expect(errorOf(await stack.admin.post(`${path}/restore`, restore), 422)).toContain('ssh-privatekey');
    expect(await stateOf(stack.kube, namespace)).toEqual(before);
  });
});

describe.each(ACCOUNT_TOKENS)('%s', (type) => {
  const metadata = { annotations: { 'kubernetes.io/service-account.name': 'default' } };
  const seeded = async () => {
    const name = freshName();
    await stack.kube.createSecret(namespace, nativeSecret(name, {}, { type, metadata }));
    return secretsPath(namespace, name);
  };

  it('is refused on create before any write', async () => {
    const before = await stateOf(stack.kube, namespace);
    expect(errorOf(await create(type, { token: 't' }), 422)).toMatch(/service account token/i);
    expect(await stateOf(stack.kube, namespace)).toEqual(before);
  });

  it('is refused on PUT, even metadata-only, before any history or live write', async () => {
    const path = await seeded();
    await eventually(async () => {
      const { resourceVersion } = secretOf(await stack.admin.get(path));
      expect(errorOf(await stack.admin.put(path, { resourceVersion, description: 'd' }), 422)).toMatch(
        /token/,
      );
    });
    expect(await snapshotCount()).toBe(0);
  });

  it('is refused on restore, before the version is looked for', async () => {
    const path = await seeded();
    await eventually(async () => {
      const { resourceVersion } = secretOf(await stack.admin.get(path));
      const body = { resourceVersion, version: 99 };
      expect(errorOf(await stack.admin.post(`${path}/restore`, body), 422)).toMatch(/token/);
    });
    expect(await snapshotCount()).toBe(0);
  });

  it('can be read, and deleted under normal authorization', async () => {
    const path = await seeded();
    await eventually(async () => {
      const { resourceVersion } = secretOf(await stack.admin.get(path));
      jsonOf(await stack.admin.delete(`${path}?resourceVersion=${resourceVersion}`), 200);
    });
    errorOf(await stack.admin.get(path), 404);
  });

  async function snapshotCount(): Promise<number> {
    const snapshots = await stack.kube.listSecrets(namespace, annotation('kind=history'));
    return snapshots.filter(
      ({ metadata: { annotations } }) => annotations?.[annotation('history-type')] === type,
    ).length;
  }
});

function isDataRule({ type }: TypeCase): boolean {
  return /^(kubernetes|platform)\.io\//.test(type) && !ACCOUNT_TOKENS.includes(type);
}

function recorded(): readonly TypeCase[] {
  const file = new URL('../../data/cluster-api/scenarios/03-types.json', import.meta.url);
  const { steps } = JSON.parse(readFileSync(file, 'utf8')) as { steps: readonly Recording[] };
  return steps
    .filter(({ method, body }) => method === 'POST' && body?.type !== undefined)
    .filter(({ body }) => !body?.type?.startsWith('platform.io/'))
    .map(({ body, answer }) => ({
      type: body?.type ?? '',
      data: textsOf(body?.data ?? {}),
      status: answer.status,
    }));
}

function textsOf(data: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(data).map(([key, base64]) => [key, Buffer.from(base64, 'base64').toString('utf8')]),
  );
}

function shortened(type: string): string {
  return type.length > 50 ? `${type.slice(0, 50)}…` : type;
}
