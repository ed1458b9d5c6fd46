import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { ADMIN, clientFor, type ApiClient } from '../../harness/api-client.ts';
import { startService, type ServiceProcess } from '../../harness/service-process.ts';
import { becomes, openReplicas, type Replicas } from '../replicas.ts';
import { createAccount, userOf } from './accounts.ts';

const ACCOUNT = 'victim';
type Env = Readonly<Record<string, string>>;

/** A replica as a process of its own that is killed in the middle of its calls to the cluster. */
export interface Victim {
  readonly fixture: Replicas;
  start(env: Env): Promise<void>;
  client(user?: typeof ADMIN): Promise<ApiClient>;
  /**
   * Has the victim, which is started already or by `work`, make `calls` calls in the namespace, and kills it before it learns of
   * the last one.
   *
   * @param verbs of the calls that count; all by default
   * @returns the verbs of the calls that it has made there
   */
  crash(
    namespace: string,
    calls: number,
    work: () => Promise<unknown>,
    verbs?: readonly string[],
  ): Promise<readonly string[]>;
  close(): Promise<void>;
}

export async function openVictim(): Promise<Victim> {
  const folder = mkdtempSync(join(tmpdir(), 'service-test-'));
  const fixture = await openReplicas();
  const kubeconfigFile = join(folder, 'kubeconfig');
  writeFileSync(kubeconfigFile, await createAccount(fixture.dev, ACCOUNT), { mode: 0o600 });
  let service: Promise<ServiceProcess> | undefined;
  return {
    fixture,
    async start(env) {
      service = startService({ kubeconfigFile, env });
      await service;
    },
    client: async (user = ADMIN) => clientFor((await service)?.url ?? '', user),
    async crash(namespace, calls, work, verbs) {
      const before = fixture.dev.requests.last;
      const fault = fixture.dev.faults.add({
        match: { namespace, user: userOf(ACCOUNT), ...(verbs && { verb: verbs }) },
        skip: calls - 1,
        times: 1,
        action: { type: 'hang', when: 'after' },
      });
      const ended = work();
      await becomes(() => fault.hits, 1);
      const killed = await service;
      killed?.signal('SIGKILL');
      await ended;
      await killed?.ended;
      fault.remove();
      const made = fixture.dev.requests
        .list(before)
        .filter((request) => request.user === userOf(ACCOUNT) && request.namespace === namespace);
      return made.map(({ verb }) => verb).filter((verb) => verbs?.includes(verb) ?? true);
    },
    async close() {
      await (await service)?.stop();
      await fixture.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Ends with the victim, without an answer. */
export async function broken(request: Promise<unknown>): Promise<void> {
  const ended = request.then(
    () => 'answered',
    () => 'broken',
  );
  expect(await ended).toBe('broken');
}
