import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startService, type ServiceProcess } from '../../harness/service-process.ts';
import { createAccount, userOf } from './accounts.ts';
import { becomes, shortNames, historyOf, openReplicas, type Replicas } from '../replicas.ts';

const WRITES = new Set(['create', 'update', 'patch', 'delete']);
const EVENTS = ['acquired lease', 'lost lease'];

let fixture: Replicas;
let folder: string;
const services: ServiceProcess[] = [];
beforeAll(async () => {
  fixture = await openReplicas();
  folder = mkdtempSync(join(tmpdir(), 'service-test-'));
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await fixture.close();
  rmSync(folder, { recursive: true });
});

/** A replica as a process of its own, under an account of its own. */
async function start(account: string): Promise<ServiceProcess> {
  const kubeconfigFile = join(folder, account);
  writeFileSync(kubeconfigFile, await createAccount(fixture.dev, account), { mode: 0o600 });
  const service = await startService({ kubeconfigFile, env: { SERVICE_HISTORY_LIMIT: '1' } });
  services.push(service);
  return service;
}

const lastWord = (service: ServiceProcess): unknown =>
  service.logLines().findLast(({ event }) => EVENTS.includes(String(event)))?.['event'];

const requestsOf = (account: string, after: number) =>
  fixture.dev.requests.list(after).filter(({ user }) => user === userOf(account));

it('a leader that is paused past its Lease is replaced, and writes nothing once it goes on', async () => {
  const namespace = await fixture.namespace();
  const writer = await fixture.replica();
  await writer.secrets(namespace).createWithHistory('a', 8);
  await writer.stop();

  // The first replica is stopped in the middle of removing seven snapshots.
  const slow = fixture.dev.faults.add({ match: { verb: 'delete' }, action: { type: 'delay', ms: 5_000 } });
  const first = await start('first');
  const deletions = () => requestsOf('first', 0).filter(({ verb }) => verb === 'delete').length;
  await becomes(() => deletions() > 0, true);
  first.signal('SIGSTOP');
  slow.remove();
  expect(deletions()).toBeLessThan(7);

  const second = await start('second');
  await becomes(() => lastWord(second), EVENTS[0], 30_000);
  await becomes(async () => shortNames(await historyOf(fixture.kube, namespace)), ['a.v8']);

  const resumed = fixture.dev.requests.last;
  first.signal('SIGCONT');
  await becomes(() => lastWord(first), EVENTS[1]);
  // It contends again: its reads show that it has come so far without a write.
  await becomes(
    () =>
      requestsOf('first', resumed).filter(({ verb, resource }) => verb === 'get' && resource === 'leases')
        .length > 1,
    true,
  );
  expect(requestsOf('first', resumed).filter(({ verb }) => WRITES.has(verb))).toEqual([]);
  expect(lastWord(second)).toBe(EVENTS[0]);
});
