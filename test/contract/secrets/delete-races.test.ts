import { describe, expect, it } from 'vitest';
import { errorOf } from '../../harness/answers.ts';
import { isCall, isCallNumber } from '../../harness/cluster-calls.ts';
import { nativeSecret } from '../../harness/secret-paths.ts';
import { TOUCH, HISTORY, orderedSteps } from './delete-steps-fixture.ts';
import { annotation } from '../../harness/annotation.ts';

orderedSteps(({ here, calls, fail, live, ready, retryDeletes, snapshots }) => {
  describe('when history changes meanwhile', () => {
    it('a snapshot changed after the list: 409 by its preconditions, and the live Secret stays', async () => {
      const remove = await ready(2);
      const second = (await here.stack.kube.listSecrets(here.namespace, HISTORY)).find(({ metadata }) =>
        metadata.name.startsWith('a.v2'),
      );
      here.stack.between.after(isCall(here.namespace, 'LIST history'), () =>
        here.stack.kube.patchSecret(here.namespace, second?.metadata.name ?? '', TOUCH),
      );
      errorOf(await remove(), 409);
      expect(await snapshots()).toEqual(['a.v2']);
      expect(await live()).toBeDefined();
      expect(calls()).not.toContain('DELETE a');
      await retryDeletes();
    });

    it('a snapshot that someone else removed after the list is as good as deleted', async () => {
      const remove = await ready(1);
      const [snapshot] = await here.stack.kube.listSecrets(here.namespace, HISTORY);
      here.stack.between.after(isCall(here.namespace, 'LIST history'), () =>
        here.stack.kube.deleteSecret(here.namespace, snapshot?.metadata.name ?? ''),
      );
      expect((await remove()).json).toMatchObject({ status: 'deleted', history: 'cleaned' });
    });

    it('a snapshot that is still present after its deletion: 503, without the live deletion', async () => {
      const remove = await ready(1);
      const [snapshot] = await here.stack.kube.listSecrets(here.namespace, HISTORY);
      const name = snapshot?.metadata.name ?? '';
      await here.stack.kube.patchSecret(here.namespace, name, {
        metadata: { finalizers: ['example.com/hold'] },
      });
      errorOf(await remove(), 503);
      expect(calls()).not.toContain('DELETE a');
      expect(await live()).toBeDefined();
      await here.stack.kube.patchSecret(here.namespace, name, { metadata: { finalizers: null } });
      await retryDeletes();
    });

    it('a snapshot recreated under its name: 503, without the live deletion', async () => {
      const remove = await ready(1);
      const [snapshot] = await here.stack.kube.listSecrets(here.namespace, HISTORY);
      const { name = '', labels, annotations } = snapshot?.metadata ?? {};
      here.stack.between.after(isCall(here.namespace, 'DELETE a.v1'), () =>
        here.stack.kube.createSecret(
          here.namespace,
          nativeSecret(name, {}, { metadata: { labels, annotations } }),
        ),
      );
      errorOf(await remove(), 503);
      expect(calls()).not.toContain('DELETE a');
      await retryDeletes();
    });

    it('history added while it was cleaned: 503 from the final inventory, without the live deletion', async () => {
      const remove = await ready(1);
      const [snapshot] = await here.stack.kube.listSecrets(here.namespace, HISTORY);
      const { name = '', labels, annotations } = snapshot?.metadata ?? {};
      const added = nativeSecret(
        name.replace('.v1.', '.v5.'),
        {},
        { metadata: { labels, annotations: { ...annotations, [annotation('history-version')]: '5' } } },
      );
      here.stack.between.after(isCall(here.namespace, 'GET a.v1'), () =>
        here.stack.kube.createSecret(here.namespace, added),
      );
      errorOf(await remove(), 503);
      expect(calls()).not.toContain('DELETE a');
      expect(await snapshots()).toEqual(['a.v5']);
      await retryDeletes();
    });

    it('history that a concurrent writer adds after the final inventory does not stop the deletion', async () => {
      const remove = await ready(1);
      const [snapshot] = await here.stack.kube.listSecrets(here.namespace, HISTORY);
      const { name = '', labels, annotations } = snapshot?.metadata ?? {};
      here.stack.between.after(isCallNumber(here.namespace, 'LIST history', 2), () =>
        here.stack.kube.createSecret(
          here.namespace,
          nativeSecret(name, {}, { metadata: { labels, annotations } }),
        ),
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
      errorOf(await here.admin.get(here.secrets.path('a')), 404);
    });

    it('at the confirmation: an error that says to reload, never a deletion', async () => {
      const remove = await ready(1);
      fail({ verb: 'get', name: 'a' }, GONE_WRONG, 3);
      const answer = await remove();
      expect(errorOf(answer, 503)).toMatch(/could not be confirmed.*reload/i);
      expect(answer.json).not.toHaveProperty('deleted');
      here.stack.dev.faults.clear();
      expect(await live()).toBeUndefined();
    });
  });
});
