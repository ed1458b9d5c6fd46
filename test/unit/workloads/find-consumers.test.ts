import { describe, expect, it } from 'vitest';
import { findConsumers } from '../../../src/workloads/consumers.ts';
import { WORKLOAD_KINDS } from '../../../src/workloads/ports.ts';
import { ServiceError } from '../../../src/errors/service-error.ts';
import { unhurriedCall } from '../../fakes/fake-call.ts';
import { codeOf } from '../../fakes/fake-journal.ts';
import { createFakeWorkloadStore } from '../../fakes/fake-workload-store.ts';

const SECRET = { namespace: 'team-a', name: 'db' };
const USING = { imagePullSecrets: [{ name: 'db' }] };
const deadline = unhurriedCall();

describe('the consumers of a Secret', () => {
  it('are the workloads of its namespace that use it, ordered by kind and name', async () => {
    const store = createFakeWorkloadStore();
    for (const kind of [...WORKLOAD_KINDS].reverse()) {
      for (const name of ['b', 'a', 'a-b', 'c', 'd'])
        store.put({ kind, namespace: 'team-a', name, podSpec: USING });
      store.put({ kind, namespace: 'team-a', name: 'stranger', podSpec: { containers: [] } });
      store.put({ kind, namespace: 'team-b', name: 'elsewhere', podSpec: USING });
    }
    const found = await findConsumers(store, SECRET, deadline);
    expect(found.map(({ kind, name }) => `${kind}/${name}`)).toEqual(
      ['CronJob', 'DaemonSet', 'Deployment', 'StatefulSet'].flatMap((kind) =>
        ['a', 'a-b', 'b', 'c', 'd'].map((name) => `${kind}/${name}`),
      ),
    );
  });

  it('carry nothing of the pod spec along', async () => {
    const store = createFakeWorkloadStore();
    const containers = [{ env: [{ name: 'PASSWORD', value: 'planted-4711' }] }];
    store.put({ kind: 'Deployment', ...SECRET, name: 'web', podSpec: { ...USING, containers } });
    expect(JSON.stringify(await findConsumers(store, SECRET, deadline))).not.toContain('planted-4711');
  });

  it.each(WORKLOAD_KINDS)('are not known when one page of %s cannot be listed', async (kind) => {
    const store = createFakeWorkloadStore();
    store.fail(
      `list ${kind}`,
      new ServiceError('rbacForbidden', 'No', { reason: `rbacForbidden:list:${kind}` }),
    );
    await expect(findConsumers(store, SECRET, deadline)).rejects.toMatchObject({
      code: 'listFailed',
      message: 'The list of workloads could not be collected',
      reason: `rbacForbidden:list:${kind}`,
    });
  });

  it('are not known when a page is of another revision than the first', async () => {
    const store = createFakeWorkloadStore();
    const create = (name: string) => store.put({ kind: 'Deployment', namespace: 'team-a', name });
    for (const name of ['a', 'b', 'c']) create(name);
    const listPage: typeof store.listPage = async (...args) => {
      const page = await store.listPage(...args);
      create('late');
      return page;
    };
    expect(await codeOf(findConsumers({ listPage }, SECRET, deadline))).toBe('listInconsistent');
  });

  it('are not known when there are more than 5,000 workloads of a kind', async () => {
    const items = (from: number) =>
      Array.from({ length: 500 }, (_item, index) => ({
        kind: 'Deployment' as const,
        namespace: 'team-a',
        name: `w${from + index}`,
        uid: 'u',
        resourceVersion: '1',
        paused: false,
        podSpec: {},
        rollout: undefined,
      }));
    let pages = 0;
    const listPage = () => {
      pages += 1;
      const page = { items: items(pages * 500), resourceVersion: '1', bytes: 1 };
      return Promise.resolve({ ...page, continueToken: String(pages) });
    };
    expect(await codeOf(findConsumers({ listPage }, SECRET, deadline))).toBe('listOverBudget');
    expect(pages).toBe(11);
  });
});
