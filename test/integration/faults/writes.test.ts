import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEVELOPER_A, type ApiAnswer, type ApiClient } from '../../harness/api-client.ts';
import { errorOf } from '../../harness/answers.ts';
import { callsIn } from '../../harness/cluster-calls.ts';
import { startInProcessStack, type InProcessStack } from '../../harness/in-process-stack.ts';
import { casesOf, CLUSTER_TEXT, isRead, RETRY_AFTER_SECONDS, ruleOf, type Case } from './faults.ts';
import {
  BYSTANDER,
  createFixture,
  historyOf,
  liveOf,
  OPERATIONS,
  type Fixture,
  type Operation,
} from './operations.ts';

let stack: InProcessStack;
let client: ApiClient;
/**
 * Of a service that does not wait long for the cluster; whatever is not about hanging is left to the patient one. Its
 * other calls must be answered in that time, too, on a machine that is busy with other things.
 */
let hurried: ApiClient;

beforeAll(async () => {
  // The reconciler would prune what an update is about to prune.
  stack = await startInProcessStack({ env: { SERVICE_HISTORY_LIMIT: '2' }, reconciles: false });
  client = await stack.client(DEVELOPER_A);
  hurried = await (await stack.another({ attemptTimeoutMs: 2000 })).client(DEVELOPER_A);
});
afterAll(() => stack.close());

async function fixture(): Promise<Fixture> {
  return createFixture(stack.kube, await stack.namespace(), client);
}

/** Runs the operation of a case with its fault in place, from a client that has just loaded the Secret. */
async function runWithFault(one: Case, place: Fixture, times?: number): Promise<ApiAnswer> {
  const revision = (await liveOf(place))?.metadata.resourceVersion ?? '';
  const rule = stack.dev.faults.add(ruleOf(one, place.namespace, times));
  try {
    const isHanging = one.fault.action.type === 'hang';
    return await one.operation.run({ ...place, client: isHanging ? hurried : client }, revision);
  } finally {
    expect(rule.hits, 'the fault struck').toBeGreaterThan(0);
    rule.remove();
  }
}

const isDeletion = ({ effect }: Operation): boolean => effect.startsWith('DELETE');

/** What a user does after an error: reload, and repeat what is not done yet. */
async function finishByHand({ operation }: Case, place: Fixture): Promise<void> {
  const live = await liveOf(place);
  const repeated = await operation.run(place, live?.metadata.resourceVersion ?? '');
  const isThereAlready = operation.name === 'create' && live !== undefined;
  const isGoneAlready = isDeletion(operation) && live === undefined;
  expect(repeated.status).toBe(isThereAlready ? 409 : isGoneAlready ? 404 : operation.success);
  const after = await liveOf(place);
  expect(operation.isDone(after, isThereAlready ? after : live)).toBe(true);
  expect(await historyOf(place)).toEqual(operation.history(after));
}

/**
 * After the effect, an annotation that is stored is found when the snapshot is read again; one that is refused without
 * the right to patch is set by replacing the snapshot.
 */
const isRecovered = ({ operation, call, index, fault }: Case): boolean =>
  call.startsWith('PATCH') &&
  index > operation.calls.indexOf(operation.effect) &&
  (fault.takesEffect || fault.name === 'answered 403');

/** 409 is a race that the client can settle; the same from a snapshot's creation or pruning is a failure of history. */
function expectedStatus({ operation, call, fault }: Case): number {
  const isConflict = fault.name === 'answered 409';
  const ofHistoryWrite = call !== operation.effect && operation.name !== 'delete';
  return isConflict && !ofHistoryWrite ? 409 : 503;
}

const titled = (cases: readonly Case[]) => cases.map((one) => [one.title, one] as const);

/** Not a wait longer than the client's patience, and not an absence whose proof broke off: that is an error at once. */
function isSentAgain({ operation, call, index, fault }: Case): boolean {
  if (!isRead(call) || !fault.passing || fault.name.includes('Retry-After')) return false;
  const isGone = index > operation.calls.indexOf(operation.effect);
  const saysAbsent = isGone || operation.calls[index - 1]?.startsWith('DELETE') === true;
  return !(isDeletion(operation) && saysAbsent && fault.name.includes('in the middle'));
}

describe.each(OPERATIONS)('$name', (operation) => {
  it('consists of exactly the calls that are failed below', async () => {
    const place = await fixture();
    await operation.prepare(place);
    const before = await liveOf(place);
    stack.between.forget();
    const answer = await operation.run(place, before?.metadata.resourceVersion ?? '');
    expect(answer.status).toBe(operation.success);
    // Where its watch takes longer than 200 ms, an update confirms its snapshot by a PATCH.
    const mayPatch = !operation.calls.some((call) => call.startsWith('PATCH'));
    const calls = callsIn(stack.between.passed, place.namespace);
    expect(calls.filter((call) => !(mayPatch && call.startsWith('PATCH')))).toEqual(operation.calls);
    expect(operation.isDone(await liveOf(place), before)).toBe(true);
  });

  it.concurrent.each(titled(casesOf(operation).filter((one) => !isRecovered(one))))(
    '%s: a safe error, nothing half-written, and a retry finishes the job',
    async (_title, one) => {
      const { call, fault } = one;
      const place = await fixture();
      const bystander = await stack.kube.createSecret(place.namespace, BYSTANDER);
      await operation.prepare(place);
      const before = await liveOf(place);

      const answer = await runWithFault(one, place);

      expect(errorOf(answer, expectedStatus(one))).not.toContain(CLUSTER_TEXT);
      expect(answer.headers.get('retry-after')).toBe(
        fault.name.includes('Retry-After') ? String(RETRY_AFTER_SECONDS) : null,
      );
      const after = await liveOf(place);
      const hadEffect = one.index > operation.calls.indexOf(operation.effect);
      if (hadEffect || (call === operation.effect && fault.takesEffect)) {
        expect(operation.isDone(after, before)).toBe(true);
        expect(answer.text).toMatch(/reload/);
      } else {
        expect(after).toEqual(before);
      }
      await finishByHand(one, place);
      expect(await stack.kube.getSecret(place.namespace, 'bystander')).toEqual(bystander);
    },
  );

  const recovered = casesOf(operation).filter(isRecovered);
  it.runIf(recovered.length > 0).each(titled(recovered))(
    '%s: the snapshot is marked another way, and no one notices',
    async (_title, one) => {
      const place = await fixture();
      await operation.prepare(place);
      const before = await liveOf(place);
      expect((await runWithFault(one, place)).status).toBe(operation.success);
      expect(operation.isDone(await liveOf(place), before)).toBe(true);
      expect(await historyOf(place)).toEqual(operation.history(await liveOf(place)));
    },
  );

  it.concurrent.each(titled(casesOf(operation).filter(isSentAgain)))(
    '%s only once: the read is sent again and no one notices',
    async (_title, one) => {
      const place = await fixture();
      await operation.prepare(place);
      const before = await liveOf(place);
      expect((await runWithFault(one, place, 1)).status).toBe(operation.success);
      expect(operation.isDone(await liveOf(place), before)).toBe(true);
    },
  );

  it.concurrent.each(operation.calls.filter((call) => !isRead(call)))(
    `${operation.name}, %s answered 429 only once: it had no effect, so it is sent again`,
    async (call) => {
      const place = await fixture();
      await operation.prepare(place);
      const before = await liveOf(place);
      const index = operation.calls.indexOf(call);
      const action = { type: 'status', status: 429, message: CLUSTER_TEXT } as const;
      const fault = { name: '', action, takesEffect: false, refusedUnheard: true, passing: true };
      const answer = await runWithFault({ operation, call, index, fault, title: '' }, place, 1);
      expect(answer.status).toBe(operation.success);
      expect(operation.isDone(await liveOf(place), before)).toBe(true);
      expect(await historyOf(place)).toEqual(operation.history(await liveOf(place)));
    },
  );
});

it("the cluster's own text has reached no log line", () => {
  expect(stack.log()).toContain('"status":503');
  expect(stack.log()).not.toContain(CLUSTER_TEXT);
});
