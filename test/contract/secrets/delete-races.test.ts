import { describe, expect, it } from 'vitest';
import { errorOf } from '../../harness/answers.ts';
import { isCall, isCallNumber } from '../../harness/cluster-calls.ts';
import { nativeSecret } from '../../harness/secret-paths.ts';
import {
  TOUCH,
  admin,
  HISTORY,
  calls,
  fail,
  live,
  namespace,
  orderedSteps,
  ready,
  retryDeletes,
  secrets,
  snapshots,
  stack,
} from './delete-steps-fixture.ts';
import { annotation } from '../../harness/annotation.ts';

orderedSteps(() => {
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
        { metadata: { labels, annotations: { ...annotations, [annotation('history-version')]: '5' } } },
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
