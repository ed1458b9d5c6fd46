import { afterAll, beforeAll, expect, it } from 'vitest';
import { becomes, historyOf, openReplicas, shortNames, type Replica, type Replicas } from '../replicas.ts';

let fixture: Replicas;
beforeAll(async () => {
  fixture = await openReplicas();
});
afterAll(() => fixture.close());

const events = (replica: Replica, event: string) =>
  replica.logLines().filter((line) => line['event'] === event);
const readyz = async ({ opsUrl }: Replica) => (await fetch(`${opsUrl}/readyz`)).text();

it('of two installations over one namespace the later one says so, and prunes nothing there', async () => {
  const namespace = await fixture.namespace();
  const elsewhere = await fixture.namespace();
  const first = await fixture.replica({ SERVICE_NAMESPACES: namespace, SERVICE_HISTORY_LIMIT: '5' });
  await becomes(() => events(first, 'acquired lease').length, 1);

  const second = await fixture.replica({ SERVICE_HISTORY_LIMIT: '1' });
  await becomes(() => events(second, 'acquired lease').length, 1);
  expect(events(second, 'another installation reconciles the history')).toMatchObject([
    { level: 'warn', namespace, limit: 5 },
  ]);
  expect(await readyz(second)).toMatch(
    new RegExp(
      `^ok\\nanother installation reconciles the history \\(Lease ${namespace}/\\S+, limit 5\\)\\n$`,
    ),
  );
  expect(await readyz(first)).toBe('ok\n');

  await first.secrets(namespace).createWithHistory('a', 7);
  // Its reconciler works where it is alone: what a third writes there, it prunes.
  const writer = await fixture.replica({ SERVICE_HISTORY_LIMIT: '5' });
  await writer.secrets(elsewhere).createWithHistory('b', 4);
  await becomes(async () => shortNames(await historyOf(fixture.kube, elsewhere)), ['b.v4']);
  expect(shortNames(await historyOf(fixture.kube, namespace))).toEqual([
    'a.v3',
    'a.v4',
    'a.v5',
    'a.v6',
    'a.v7',
  ]);
});
