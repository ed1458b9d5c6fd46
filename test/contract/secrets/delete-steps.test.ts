import { describe, expect, it } from 'vitest';
import { DEVELOPER_A } from '../../harness/api-client.ts';
import { errorOf } from '../../harness/answers.ts';
import { inWords, isCall, isCallNumber, requestsIn } from '../../harness/cluster-calls.ts';
import { nativeSecret } from '../../harness/secret-paths.ts';
import { TOUCH, HISTORY, orderedSteps } from './delete-steps-fixture.ts';
import { PREFIX } from '../../harness/annotation.ts';

orderedSteps(({ here, calls, live, ready, retryDeletes, snapshots }) => {
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
      const selectors = requestsIn(here.stack.between.passed, here.namespace)
        .filter((request) => inWords(request) === 'LIST history')
        .map(({ query }) => query.get('labelSelector'));
      const selector = `${HISTORY},${PREFIX}/history-uid=${uid}`;
      expect(selectors).toEqual([selector, selector]);
    });

    it('send with each DELETE the UID and resourceVersion of that very object', async () => {
      const remove = await ready(2);
      const objects = await here.stack.kube.listSecrets(here.namespace);
      await remove();
      const sent = requestsIn(here.stack.between.passed, here.namespace)
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
      errorOf(await here.admin.delete(here.secrets.deletePath('a', 'stale')), 409);
      expect(calls()).toEqual(['GET a']);
    });

    it('end at a fresh denial before any access to history', async () => {
      await ready(1);
      const { resourceVersion } = await here.secrets.update('a', { allowedGroups: ['team-b'] });
      here.stack.between.forget();
      const developer = await here.stack.client(DEVELOPER_A);
      errorOf(await developer.delete(here.secrets.deletePath('a', resourceVersion)), 403);
      expect(calls()).toEqual(['GET a']);
    });

    it('end at a hidden name before any access to history', async () => {
      errorOf(await here.admin.delete(here.secrets.deletePath('absent', '1')), 404);
      expect(calls()).toEqual(['GET absent']);
    });

    it('end at a bad query before any access to history', async () => {
      await ready(1);
      errorOf(await here.admin.delete(here.secrets.path('a')), 400);
      expect(calls()).toEqual(['GET a']);
    });
  });

  describe('when the live Secret changes meanwhile', () => {
    it('before the first snapshot is deleted: 409, and nothing is deleted', async () => {
      const remove = await ready(2);
      here.stack.between.after(isCall(here.namespace, 'LIST history'), () =>
        here.stack.kube.patchSecret(here.namespace, 'a', TOUCH),
      );
      expect(errorOf(await remove(), 409)).toMatch(/reload/i);
      expect(calls().filter((call) => call.startsWith('DELETE'))).toEqual([]);
      await retryDeletes();
    });

    it('between two snapshots: 409, the earlier deletion is not rolled back, the rest stays', async () => {
      const remove = await ready(2);
      here.stack.between.after(isCall(here.namespace, 'GET a.v1'), () =>
        here.stack.kube.patchSecret(here.namespace, 'a', TOUCH),
      );
      errorOf(await remove(), 409);
      expect(await snapshots()).toEqual(['a.v2']);
      expect(await live()).toBeDefined();
      await retryDeletes();
    });

    it('after the final inventory: 409 from the recheck, without attempting the live deletion', async () => {
      const remove = await ready(1);
      here.stack.between.after(isCallNumber(here.namespace, 'LIST history', 2), () =>
        here.stack.kube.patchSecret(here.namespace, 'a', TOUCH),
      );
      errorOf(await remove(), 409);
      expect(calls()).not.toContain('DELETE a');
      await retryDeletes();
    });

    it('after the recheck: 409 from the preconditions, and it stays with its change', async () => {
      const remove = await ready(1);
      here.stack.between.before(isCall(here.namespace, 'DELETE a'), () =>
        here.stack.kube.patchSecret(here.namespace, 'a', TOUCH),
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
      here.stack.between.after(isCallNumber(here.namespace, call, count), () =>
        here.stack.kube.deleteSecret(here.namespace, 'a'),
      );
      errorOf(await remove(), 409);
      expect(calls()).not.toContain('DELETE a');
    });

    it('disappearing right before its deletion: 409', async () => {
      const remove = await ready(1);
      here.stack.between.before(isCall(here.namespace, 'DELETE a'), () =>
        here.stack.kube.deleteSecret(here.namespace, 'a'),
      );
      errorOf(await remove(), 409);
    });

    it('recreated right before its deletion: 409, and the new one lives', async () => {
      const remove = await ready(1);
      let recreated: string | undefined;
      here.stack.between.before(isCall(here.namespace, 'DELETE a'), async () => {
        await here.stack.kube.deleteSecret(here.namespace, 'a');
        recreated = (await here.stack.kube.createSecret(here.namespace, nativeSecret('a'))).metadata.uid;
      });
      errorOf(await remove(), 409);
      expect((await live())?.metadata.uid).toBe(recreated);
    });

    it('recreated right after its deletion: 409, not reported as deleted, and the new one lives', async () => {
      const remove = await ready(1);
      here.stack.between.after(isCall(here.namespace, 'DELETE a'), () =>
        here.stack.kube.createSecret(here.namespace, nativeSecret('a')),
      );
      const answer = await remove();
      errorOf(answer, 409);
      expect(answer.text).not.toContain('deleted');
      expect(await live()).toBeDefined();
    });
  });
});
