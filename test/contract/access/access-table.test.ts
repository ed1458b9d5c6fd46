import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiAnswer, ApiClient } from '../../harness/api-client.ts';
import { errorOf, listOf as listIn } from '../../harness/answers.ts';
import { nativeSecret } from '../../harness/secret-paths.ts';
import { secretsOf, type SecretsClient } from '../../harness/secrets-client.ts';
import { startStack, type Stack } from '../../harness/stack.ts';
import {
  ACLS,
  IDENTITIES,
  listOf,
  POLICIES,
  verdictOn,
  verdictOnCreate,
  type Policy,
  type Verdict,
} from './table.ts';
import { annotation } from '../../harness/annotation.ts';

const UNAVAILABLE = 'Namespace access policy is unavailable';

let stack: Stack;
const clients = new Map<string, ApiClient>();

beforeAll(async () => {
  stack = await startStack({ env: { LOG_LEVEL: 'warn', SERVICE_RESTART_ENABLED: 'true' } });
  for (const { name, user } of IDENTITIES) clients.set(name, await stack.client(user));
});
afterAll(() => stack.close());

function clientOf(identity: string): ApiClient {
  const client = clients.get(identity);
  if (client === undefined) throw new Error(`no one is ${identity}`);
  return client;
}

/** A namespace with the policy and one Secret, with a version archived, for each set of rules. */
async function prepare({ data }: Policy): Promise<string> {
  const namespace = await stack.namespace();
  const admin = secretsOf(stack.admin, namespace);
  for (const { name, rules } of ACLS) {
    const { groups: allowedGroups, users: allowedUsers } = rules;
    await admin.create(name, { data: { key: 'v1' }, allowedGroups, allowedUsers });
    await admin.update(name, { data: { key: 'v2' } });
  }
  if (data !== undefined) await stack.kube.setPolicy(namespace, data);
  return namespace;
}

/** Each operation on a named Secret, arranged so that a check that lets it pass leads to an answer that changes nothing. */
const OPERATIONS: Readonly<
  Record<
    string,
    { passes: number; run: (client: ApiClient, secrets: SecretsClient, name: string) => Promise<ApiAnswer> }
  >
> = {
  read: { passes: 200, run: (client, secrets, name) => client.get(secrets.path(name)) },
  'list the versions of': {
    passes: 200,
    run: (client, secrets, name) => client.get(secrets.path(name, '/versions')),
  },
  'read a version of': {
    passes: 200,
    run: (client, secrets, name) => client.get(secrets.path(name, '/versions/1')),
  },
  write: {
    passes: 409,
    run: (client, secrets, name) => client.put(secrets.path(name), { resourceVersion: 'stale' }),
  },
  restore: {
    passes: 409,
    run: (client, secrets, name) =>
      client.post(secrets.path(name, '/restore'), { resourceVersion: 'stale', version: 1 }),
  },
  'have explained the access to': {
    passes: 200,
    run: (client, secrets, name) => client.get(secrets.path(name, '/access')),
  },
  'list the consumers of': {
    passes: 200,
    run: (client, secrets, name) => client.get(secrets.path(name, '/consumers')),
  },
  'restart the consumers of': {
    passes: 200,
    run: (client, secrets, name) => client.post(secrets.path(name, '/restart'), {}),
  },
  delete: { passes: 409, run: (client, secrets, name) => client.delete(secrets.deletePath(name, 'stale')) },
};

/** How a check answers: the status, and for an unusable policy the contract's own words. */
function checked(answer: ApiAnswer, verdict: Verdict, passes: number): void {
  if (verdict === 'passes') {
    expect(answer.status).toBe(passes);
  } else {
    const error = errorOf(answer, verdict);
    if (verdict === 503) expect(error).toBe(UNAVAILABLE);
  }
}

describe.each(POLICIES)('in a namespace with a policy $name', (policy) => {
  let namespace: string;
  beforeAll(async () => {
    namespace = await prepare(policy);
  });

  describe.each(IDENTITIES)('$name', (identity) => {
    it.each(ACLS)(
      'reads, writes, deletes, restores, restarts and sees the versions of $name as one decision says',
      async (acl) => {
        const client = clientOf(identity.name);
        const secrets = secretsOf(client, namespace);
        const verdict = verdictOn(identity, acl, policy);
        for (const { passes, run } of Object.values(OPERATIONS)) {
          checked(await run(client, secrets, acl.name), verdict, passes);
        }
      },
    );

    it('lists what that decision shows, or gets the error for the whole list', async () => {
      const answer = await clientOf(identity.name).get(secretsOf(stack.admin, namespace).path());
      const expected = listOf(identity, policy);
      if (expected === 503) {
        expect(errorOf(answer, 503)).toBe(UNAVAILABLE);
        return;
      }
      const { secrets, canCreate } = listIn(answer);
      const names = secrets.map(({ name }) => name).filter((name) => ACLS.some((acl) => acl.name === name));
      expect({ names, canCreate }).toEqual(expected);
    });

    it('creates as the namespace rules alone say', async () => {
      const path = secretsOf(stack.admin, namespace).path();
      // The name is in use, so that nothing is created by whom the check lets pass.
      const answer = await clientOf(identity.name).post(path, { name: 'for-both' });
      checked(answer, verdictOnCreate(identity, policy), 409);
    });

    it('sees in the list of namespaces whether it may create here', async () => {
      const { namespaces } = (await clientOf(identity.name).get('/api/namespaces')).json as {
        namespaces: { name: string; canCreate: boolean }[];
      };
      expect(namespaces.find(({ name }) => name === namespace)).toEqual({
        name: namespace,
        canCreate: verdictOnCreate(identity, policy) === 'passes',
      });
    });
  });
});

describe('whoever the table lets pass', () => {
  it('really creates, writes, restores and deletes', async () => {
    const namespace = await stack.namespace();
    await stack.kube.setPolicy(namespace, { allowedUsers: '["NAMED@example.com"]' });
    const client = clientOf('a named user, written in capitals');
    const secrets = secretsOf(client, namespace);
    await secrets.createWithHistory('a', 1);
    const { resourceVersion } = await secrets.read('a');
    const restored = await client.post(secrets.path('a', '/restore'), { resourceVersion, version: 1 });
    expect(restored.json).toMatchObject({ secret: { version: 3, data: { key: 'value 1' } } });
    const last = await secrets.read('a');
    expect((await client.delete(secrets.deletePath('a', last.resourceVersion))).status).toBe(200);
  });
});

describe('an absent Secret', () => {
  it.each(IDENTITIES)('is 404 for $name, whatever the policy says', async ({ name }) => {
    const namespace = await stack.namespace();
    await stack.kube.setPolicy(namespace, { allowedGroups: 'unusable' });
    const secrets = secretsOf(clientOf(name), namespace);
    for (const { run } of Object.values(OPERATIONS))
      errorOf(await run(clientOf(name), secrets, 'absent'), 404);
  });
});

describe('rules that someone changes with kubectl', () => {
  it('decide the very next request', async () => {
    const namespace = await stack.namespace();
    await stack.kube.createSecret(namespace, nativeSecret('a', { key: 'v' }));
    const developer = clientOf('a member of team-a');
    const path = secretsOf(developer, namespace).path('a');
    const annotate = (groups: string | null) =>
      stack.kube.patchSecret(namespace, 'a', {
        metadata: { annotations: { [annotation('allowed-groups')]: groups } },
      });

    expect((await developer.get(path)).status).toBe(200);
    await annotate('team-b , team-c');
    errorOf(await developer.get(path), 403);
    await annotate(' , team-a,,');
    expect((await developer.get(path)).status).toBe(200);
    await annotate(' , ,');
    await stack.kube.setPolicy(namespace, { allowedGroups: '["team-b"]' });
    errorOf(await developer.get(path), 403);
    await stack.kube.removePolicy(namespace);
    expect((await developer.get(path)).status).toBe(200);
  });
});
