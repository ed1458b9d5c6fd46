import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FaultRule } from '../../../hack/dev-cluster/faults/rule.ts';
import { ADMIN, DEVELOPER_A, type ApiAnswer, type ApiClient } from '../../harness/api-client.ts';
import { errorOf } from '../../harness/answers.ts';
import { callsIn, inWords, isCall, isCallNumber, requestsIn } from '../../harness/cluster-calls.ts';
import { ON_DEV_CLUSTER } from '../../harness/dev-only.ts';
import { startInProcessStack, type InProcessStack } from '../../harness/in-process-stack.ts';
import { nativeSecret } from '../../harness/secret-paths.ts';
import { secretsOf, type SecretsClient } from '../../harness/secrets-client.ts';

const HISTORY = 'service.io/kind=history';
const TOUCH = { metadata: { labels: { touched: 'meanwhile' } } };

let stack: InProcessStack;
let admin: ApiClient;
let namespace: string;
let secrets: SecretsClient;

// What happens between two calls to the cluster can only be arranged on a cluster of the tests' own.
describe.runIf(ON_DEV_CLUSTER)('the ordered steps of a deletion', () => {
  beforeAll(async () => {
    stack = await startInProcessStack({ reconciles: false });
    admin = await stack.client(ADMIN);
  });
  afterAll(() => stack.close());
  beforeEach(async () => {
    stack.dev.faults.clear();
    namespace = await stack.namespace();
    secrets = secretsOf(admin, namespace);
  });

  /** Creates `a` with a history, forgets the calls so far, and says how `a` is deleted. */
  async function ready(snapshots: number, query = ''): Promise<() => Promise<ApiAnswer>> {
    const { resourceVersion } = await secrets.createWithHistory('a', snapshots);
    stack.between.forget();
    return () => admin.delete(secrets.deletePath('a', resourceVersion, query));
  }
  const calls = () => callsIn(stack.between.passed, namespace);
  const snapshots = async (): Promise<readonly string[]> =>
    (await stack.kube.listSecrets(namespace, HISTORY)).map(({ metadata }) =>
      metadata.name.replace(/\.[0-9a-f]+$/, ''),
    );
  const live = () => stack.kube.getSecret(namespace, 'a');
  const fail = (match: FaultRule['match'], action: FaultRule['action'], skip = 0) =>
    stack.dev.faults.add({ match: { namespace, ...match }, action, skip });
  /** A new request after the user has reloaded finishes the job. */
  async function retryDeletes(): Promise<void> {
    stack.dev.faults.clear();
    const { resourceVersion } = await secrets.read('a');
    const answer = await admin.delete(secrets.deletePath('a', resourceVersion));
    expect(answer.status, answer.text).toBe(200);
    expect(await live()).toBeUndefined();
    expect(await snapshots()).toEqual([]);
  }

  describe('in the order of the contract', () => {
    it('are these calls, and no others', async () => {
      const remove = await ready(2);
      expect((await remove()).status).toBe(200);
      expect(calls()).toEqual([
        'GET a',
        'LIST history',
        ...['GET a', 'DELETE a.v1', 'GET a.v1'], // the oldest first
        ...['GET a', 'DELETE a.v2', 'GET a.v2'],
        'LIST history',
        ...['GET a', 'DELETE a', 'GET a'],
      ]);
    });

    it('request the snapshots of the authorized live UID only', async () => {
      const remove = await ready(1);
      const { uid = '' } = (await live())?.metadata ?? {};
      await remove();
      const selectors = requestsIn(stack.between.passed, namespace)
        .filter((request) => inWords(request) === 'LIST history')
        .map(({ query }) => query.get('labelSelector'));
      const selector = `${HISTORY},service.io/history-uid=${uid}`;
      expect(selectors).toEqual([selector, selector]);
    });

    it('send with each DELETE the UID and resourceVersion of that very object', async () => {
      const remove = await ready(2);
      const objects = await stack.kube.listSecrets(namespace);
      await remove();
      const sent = requestsIn(stack.between.passed, namespace)
        .filter(({ method }) => method === 'DELETE')
        .map(({ path, body }) => [
          path.split('/').at(-1),
          (body as { preconditions: unknown }).preconditions,
        ]);
      const expected = objects.map(({ metadata: { name, uid, resourceVersion } }) => [
        name,
        { uid, resourceVersion },
      ]);
      expect(sent).toHaveLength(3);
      expect(new Map(sent as [string, unknown][])).toEqual(new Map(expected as [string, unknown][]));
    });

    it('with keepHistory=true neither list nor delete history', async () => {
      const remove = await ready(2, '&keepHistory=true');
      expect((await remove()).json).toMatchObject({ status: 'deleted', history: 'retained' });
      expect(calls()).toEqual(['GET a', 'GET a', 'DELETE a', 'GET a']);
      expect(await snapshots()).toHaveLength(2);
    });

    it('end at a stale revision before any access to history', async () => {
      await ready(1);
      errorOf(await admin.delete(secrets.deletePath('a', 'stale')), 409);
      expect(calls()).toEqual(['GET a']);
    });

    it('end at a fresh denial before any access to history', async () => {
      await ready(1);
      const { resourceVersion } = await secrets.update('a', { allowedGroups: ['team-b'] });
      stack.between.forget();
      const developer = await stack.client(DEVELOPER_A);
      errorOf(await developer.delete(secrets.deletePath('a', resourceVersion)), 403);
      expect(calls()).toEqual(['GET a']);
    });

    it('end at a hidden name before any access to history', async () => {
      errorOf(await admin.delete(secrets.deletePath('absent', '1')), 404);
      expect(calls()).toEqual(['GET absent']);
    });

    it('end at a bad query before any access to history', async () => {
      await ready(1);
      errorOf(await admin.delete(secrets.path('a')), 400);
      expect(calls()).toEqual(['GET a']);
    });
  });

  describe('when the live Secret changes meanwhile', () => {
    it('before the first snapshot is deleted: 409, and nothing is deleted', async () => {
      const remove = await ready(2);
      stack.between.after(isCall(namespace, 'LIST history'), () =>
        stack.kube.patchSecret(namespace, 'a', TOUCH),
      );
      expect(errorOf(await remove(), 409)).toMatch(/reload/i);
      expect(calls().filter((call) => call.startsWith('DELETE'))).toEqual([]);
      await retryDeletes();
    });

    it('between two snapshots: 409, the earlier deletion is not rolled back, the rest stays', async () => {
      const remove = await ready(2);
      stack.between.after(isCall(namespace, 'GET a.v1'), () => stack.kube.patchSecret(namespace, 'a', TOUCH));
      errorOf(await remove(), 409);
      expect(await snapshots()).toEqual(['a.v2']);
      expect(await live()).toBeDefined();
      await retryDeletes();
    });

    it('after the final inventory: 409 from the recheck, without attempting the live deletion', async () => {
      const remove = await ready(1);
      stack.between.after(isCallNumber(namespace, 'LIST history', 2), () =>
        stack.kube.patchSecret(namespace, 'a', TOUCH),
      );
      errorOf(await remove(), 409);
      expect(calls()).not.toContain('DELETE a');
      await retryDeletes();
    });

    it('after the recheck: 409 from the preconditions, and it stays with its change', async () => {
      const remove = await ready(1);
      stack.between.before(isCall(namespace, 'DELETE a'), () =>
        stack.kube.patchSecret(namespace, 'a', TOUCH),
      );
      errorOf(await remove(), 409);
      expect((await live())?.metadata.labels).toMatchObject({ touched: 'meanwhile' });
      await retryDeletes();
    });

    it.each([
      ['while history is cleaned', 'GET a.v1'],
      ['after the final inventory', 'LIST history'],
    ])('disappearing %s: 409', async (_when, call) => {
      const remove = await ready(1);
      const count = call === 'LIST history' ? 2 : 1;
      stack.between.after(isCallNumber(namespace, call, count), () =>
        stack.kube.deleteSecret(namespace, 'a'),
      );
      errorOf(await remove(), 409);
      expect(calls()).not.toContain('DELETE a');
    });

    it('disappearing right before its deletion: 409', async () => {
      const remove = await ready(1);
      stack.between.before(isCall(namespace, 'DELETE a'), () => stack.kube.deleteSecret(namespace, 'a'));
      errorOf(await remove(), 409);
    });

    it('recreated right before its deletion: 409, and the new one lives', async () => {
      const remove = await ready(1);
      let recreated: string | undefined;
      stack.between.before(isCall(namespace, 'DELETE a'), async () => {
        await stack.kube.deleteSecret(namespace, 'a');
        recreated = (await stack.kube.createSecret(namespace, nativeSecret('a'))).metadata.uid;
      });
      errorOf(await remove(), 409);
      expect((await live())?.metadata.uid).toBe(recreated);
    });

    it('recreated right after its deletion: 409, not reported as deleted, and the new one lives', async () => {
      const remove = await ready(1);
      stack.between.after(isCall(namespace, 'DELETE a'), () =>
        stack.kube.createSecret(namespace, nativeSecret('a')),
      );
      const answer = await remove();
      errorOf(answer, 409);
      expect(answer.text).not.toContain('deleted');
      expect(await live()).toBeDefined();
    });
  });

  describe('when history changes meanwhile', () => {
    it('a snapshot changed after the list: 409 by its preconditions, and the live Secret stays', async () => {
      const remove = await ready(2);
      const second = (await stack.kube.listSecrets(namespace, HISTORY)).find(({ metadata }) =>
        metadata.name.startsWith('a.v2'),
      );
      stack.between.after(isCall(namespace, 'LIST history'), () =>
        stack.kube.patchSecret(namespace, second?.metadata.name ?? '', TOUCH),
      );
      errorOf(await remove(), 409);
      expect(await snapshots()).toEqual(['a.v2']);
      expect(await live()).toBeDefined();
      expect(calls()).not.toContain('DELETE a');
      await retryDeletes();
    });

    it('a snapshot that someone else removed after the list is as good as deleted', async () => {
      const remove = await ready(1);
      const [snapshot] = await stack.kube.listSecrets(namespace, HISTORY);
      stack.between.after(isCall(namespace, 'LIST history'), () =>
        stack.kube.deleteSecret(namespace, snapshot?.metadata.name ?? ''),
      );
      expect((await remove()).json).toMatchObject({ status: 'deleted', history: 'cleaned' });
    });

    it('a snapshot that is still present after its deletion: 503, without the live deletion', async () => {
      const remove = await ready(1);
      const [snapshot] = await stack.kube.listSecrets(namespace, HISTORY);
      const name = snapshot?.metadata.name ?? '';
      await stack.kube.patchSecret(namespace, name, { metadata: { finalizers: ['example.com/hold'] } });
      errorOf(await remove(), 503);
      expect(calls()).not.toContain('DELETE a');
      expect(await live()).toBeDefined();
      await stack.kube.patchSecret(namespace, name, { metadata: { finalizers: null } });
      await retryDeletes();
    });

    it('a snapshot recreated under its name: 503, without the live deletion', async () => {
      const remove = await ready(1);
      const [snapshot] = await stack.kube.listSecrets(namespace, HISTORY);
      const { name = '', labels, annotations } = snapshot?.metadata ?? {};
      stack.between.after(isCall(namespace, 'DELETE a.v1'), () =>
        stack.kube.createSecret(namespace, nativeSecret(name, {}, { metadata: { labels, annotations } })),
      );
      errorOf(await remove(), 503);
      expect(calls()).not.toContain('DELETE a');
      await retryDeletes();
    });

    it('history added while it was cleaned: 503 from the final inventory, without the live deletion', async () => {
      const remove = await ready(1);
      const [snapshot] = await stack.kube.listSecrets(namespace, HISTORY);
      const { name = '', labels, annotations } = snapshot?.metadata ?? {};
      const added = nativeSecret(
        name.replace('.v1.', '.v5.'),
        {},
        { metadata: { labels, annotations: { ...annotations, 'service.io/history-version': '5' } } },
      );
      stack.between.after(isCall(namespace, 'GET a.v1'), () => stack.kube.createSecret(namespace, added));
      errorOf(await remove(), 503);
      expect(calls()).not.toContain('DELETE a');
      expect(await snapshots()).toEqual(['a.v5']);
      await retryDeletes();
    });

    it('history that a concurrent writer adds after the final inventory does not stop the deletion', async () => {
      const remove = await ready(1);
      const [snapshot] = await stack.kube.listSecrets(namespace, HISTORY);
      const { name = '', labels, annotations } = snapshot?.metadata ?? {};
      stack.between.after(isCallNumber(namespace, 'LIST history', 2), () =>
        stack.kube.createSecret(namespace, nativeSecret(name, {}, { metadata: { labels, annotations } })),
      );
      expect((await remove()).json).toMatchObject({ status: 'deleted', history: 'cleaned' });
      expect(await snapshots()).toEqual(['a.v1']);
    });
  });

  describe('when the cluster fails', () => {
    const GONE_WRONG = { type: 'status', status: 503 } as const;

    it.each([
      ['listing history', { verb: 'list', resource: 'secrets' }, 0],
      ['deleting a snapshot', { verb: 'delete', resource: 'secrets' }, 0],
      ['confirming the absence of a snapshot', { verb: 'get', path: '/a\\.v2\\.' }, 0],
      ['the final inventory', { verb: 'list', resource: 'secrets' }, 1],
    ])('at %s: 503, without attempting the live deletion', async (_what, match, skip) => {
      const remove = await ready(2);
      fail(match, GONE_WRONG, skip);
      errorOf(await remove(), 503);
      expect(calls()).not.toContain('DELETE a');
      expect(await live()).toBeDefined();
      await retryDeletes();
    });

    it('at the live deletion: an error, and the live Secret stays', async () => {
      const remove = await ready(1);
      fail({ verb: 'delete', name: 'a' }, GONE_WRONG);
      errorOf(await remove(), 503);
      expect(await live()).toBeDefined();
      await retryDeletes();
    });

    it('after the live deletion took effect: an error that says that the outcome is uncertain', async () => {
      const remove = await ready(1);
      fail({ verb: 'delete', name: 'a' }, { type: 'cut', when: 'after' });
      expect(errorOf(await remove(), 503)).toMatch(/uncertain.*reload/i);
      expect(await live()).toBeUndefined();
      errorOf(await admin.get(secrets.path('a')), 404);
    });

    it('at the confirmation: an error that says to reload, never a deletion', async () => {
      const remove = await ready(1);
      fail({ verb: 'get', name: 'a' }, GONE_WRONG, 3);
      const answer = await remove();
      expect(errorOf(answer, 503)).toMatch(/could not be confirmed.*reload/i);
      expect(answer.json).not.toHaveProperty('deleted');
      stack.dev.faults.clear();
      expect(await live()).toBeUndefined();
    });
  });
});
