import { describe, expect, it } from 'vitest';
import { DEPLOYMENTS, STATEFUL_SETS } from '../../../../src/cluster/objects/resources.ts';
import { createWorkloadStore } from '../../../../src/cluster/stores/workload-store.ts';
import { unhurriedCall } from '../../../fakes/fake-call.ts';
import { codeOf } from '../../../fakes/fake-journal.ts';
import { scriptGateway } from '../scripted-gateway.ts';

const deadline = unhurriedCall();
const WEB = { kind: 'Deployment', namespace: 'team-a', name: 'web' } as const;
const PAGE = { limit: 500, maxBytes: 1_000 };

const native = (metadata: object = {}, spec: object = { template: { spec: {} } }) => ({
  metadata: { name: 'web', namespace: 'team-a', uid: 'u', resourceVersion: '7', ...metadata },
  spec,
});
const list = (...items: readonly unknown[]) => ({
  kind: 'DeploymentList',
  metadata: { resourceVersion: '9' },
  items,
});

describe('the store of workloads', () => {
  it('lists a page within its limits', async () => {
    const gateway = scriptGateway(list(native()));
    const page = await createWorkloadStore(gateway).listPage(
      'Deployment',
      'team-a',
      { ...PAGE, continueToken: 'more' },
      deadline,
    );
    expect(gateway.requests).toEqual([
      {
        verb: 'list',
        resource: DEPLOYMENTS,
        namespace: 'team-a',
        query: { limit: '500', continue: 'more' },
        maxBytes: 1_000,
      },
    ]);
    expect(page).toMatchObject({ resourceVersion: '9', continueToken: undefined });
    expect([...page.items]).toEqual([
      {
        ...WEB,
        uid: 'u',
        resourceVersion: '7',
        paused: false,
        podSpec: {},
        rollout: { desired: 0, updated: 0, available: 0, done: true },
      },
    ]);
  });

  it('reads one by a list, for which it needs no further right', async () => {
    const gateway = scriptGateway(list(native({}, { paused: true })), list());
    const store = createWorkloadStore(gateway);
    expect(await store.read(WEB, deadline)).toMatchObject({ uid: 'u', paused: true, podSpec: undefined });
    expect(await store.read(WEB, deadline)).toBeUndefined();
    expect(gateway.requests[0]).toMatchObject({
      verb: 'list',
      resource: DEPLOYMENTS,
      namespace: 'team-a',
      query: { fieldSelector: 'metadata.name=web', limit: '500' },
    });
  });

  it('annotates the template of exactly one revision, and changes nothing else', async () => {
    const gateway = scriptGateway(native());
    const workload = {
      kind: 'StatefulSet',
      namespace: 'team-a',
      name: 'db',
      uid: 'u',
      resourceVersion: '7',
    } as const;
    await createWorkloadStore(gateway).restart(workload, new Date('2026-03-04T05:06:07.089Z'), deadline);
    expect(gateway.requests).toEqual([
      {
        verb: 'patch',
        resource: STATEFUL_SETS,
        namespace: 'team-a',
        name: 'db',
        contentType: 'application/merge-patch+json',
        body: {
          metadata: { uid: 'u', resourceVersion: '7' },
          spec: {
            template: {
              metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': '2026-03-04T05:06:07.089Z' } },
            },
          },
        },
      },
    ]);
  });

  it.each<[string, unknown]>([
    ['no list', native()],
    ['a list of another kind', { ...list(native()), kind: 'StatefulSetList' }],
    ['an object without metadata', list({})],
    ['an object without a uid', list(native({ uid: undefined }))],
    ['an object of another namespace', list(native({ namespace: 'team-b' }))],
    ['an object of another kind', list({ ...native(), kind: 'StatefulSet' })],
  ])('takes %s for an answer that cannot be used', async (_what, body) => {
    const store = createWorkloadStore(scriptGateway(body, body));
    const all = store.listPage('Deployment', 'team-a', PAGE, deadline).then(({ items }) => [...items]);
    expect(await codeOf(all)).toBe('unavailable');
    expect(await codeOf(store.read(WEB, deadline))).toBe('unavailable');
  });

  it.each<[string, unknown]>([
    ['another object than the one that was requested', list(native({ name: 'web2' }))],
    ['two objects of one name', list(native(), native())],
  ])('takes %s for no answer to a read', async (_what, body) => {
    expect(await codeOf(createWorkloadStore(scriptGateway(body)).read(WEB, deadline))).toBe('unavailable');
  });

  it('reads on where an answer is only a part, and takes no part for the whole', async () => {
    const part = { ...list(), metadata: { resourceVersion: '9', continue: 'more' } };
    const store = createWorkloadStore(scriptGateway(part, list(native()), part, new Error('cut')));
    expect(await store.read(WEB, deadline)).toMatchObject({ uid: 'u' });
    await expect(store.read(WEB, deadline)).rejects.toThrow('cut');
  });
});
