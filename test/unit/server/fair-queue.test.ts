import { describe, expect, it } from 'vitest';
import type { FairQueue } from '../../../src/server/request-seats.ts';
import { queueOf, requestOf, settled } from './fair-queue-fixture.ts';

/** Enters and says under which label the requests began, in their order. */
function entering(queue: FairQueue) {
  const begun: string[] = [];
  const requests = new Map<string, ReturnType<typeof requestOf>>();
  const enter = (flow: string, label: string): Promise<void> => {
    const request = requestOf(flow);
    requests.set(label, request);
    return request.enter(queue).then(() => void begun.push(label));
  };
  const finish = async (label: string): Promise<void> => {
    requests.get(label)?.finish();
    await settled();
  };
  const leave = async (label: string): Promise<void> => {
    requests.get(label)?.close();
    await finish(label);
  };
  return { begun, requests, enter, finish, leave };
}

describe('the fair queue', () => {
  it('lets requests begin while there are seats, and the others wait', async () => {
    const { queue } = queueOf();
    const { begun, enter, leave } = entering(queue);
    for (const label of ['a1', 'b1', 'c1']) void enter(label[0] ?? '', label);
    await settled();
    expect(begun).toEqual(['a1', 'b1']);
    expect(queue.figures()).toEqual({ working: 2, waitingForClient: 0, queued: 1 });
    await leave('a1');
    expect(begun).toEqual(['a1', 'b1', 'c1']);
  });

  it('serves flows in turn, however many requests one of them has sent before', async () => {
    const { queue } = queueOf({ seats: 1, queued: 100, queuedPerFlow: 100 });
    const { begun, enter, leave } = entering(queue);
    for (let index = 1; index <= 5; index++) void enter('greedy', `greedy${index}`);
    void enter('modest', 'modest1');
    void enter('other', 'other1');
    await settled();
    for (const label of ['greedy1', 'greedy2', 'modest1', 'other1', 'greedy3']) {
      expect(begun.at(-1)).toBe(label);
      await leave(label);
    }
  });

  it('lets one flow have no more than its share, even while seats are free', async () => {
    const { queue } = queueOf({ seats: 4 });
    const { begun, enter } = entering(queue);
    for (const label of ['a1', 'a2', 'a3', 'b1']) void enter(label[0] ?? '', label);
    await settled();
    expect(begun).toEqual(['a1', 'a2', 'b1']);
  });

  it('refuses what is over the queue of its flow with 429 and a time to come back', async () => {
    const { queue, onRefused } = queueOf();
    const { enter } = entering(queue);
    for (let index = 0; index < 4; index++) void enter('a', `a${index}`);
    await expect(enter('a', 'too many')).rejects.toMatchObject({ code: 'rateLimited', retryAfterSeconds: 1 });
    expect(onRefused.mock.calls).toEqual([['requests_person']]);
    expect(queue.figures().queued).toBe(2);
  });

  it('refuses what is over the whole queue with 503 and a time to come back', async () => {
    const { queue, onRefused } = queueOf();
    const { enter } = entering(queue);
    for (const label of ['a1', 'b1', 'c1', 'd1', 'e1', 'f1']) void enter(label[0] ?? '', label);
    await expect(enter('g', 'too many')).rejects.toMatchObject({ code: 'overloaded', retryAfterSeconds: 1 });
    expect(onRefused.mock.calls).toEqual([['requests_total']]);
  });

  it('refuses with 503 what has waited for as long as it has time', async () => {
    const { queue, onRefused } = queueOf({ seats: 1 });
    const { begun, requests, enter, leave } = entering(queue);
    await enter('a', 'a1');
    const late = enter('b', 'b1');
    requests.get('b1')?.spend();
    await expect(late).rejects.toMatchObject({ code: 'overloaded', reason: 'queueTime' });
    expect(onRefused.mock.calls).toEqual([['requests_wait']]);
    await leave('a1');
    expect(begun).toEqual(['a1']);
    expect(queue.figures()).toEqual({ working: 0, waitingForClient: 0, queued: 0 });
  });

  it('forgets a request whose client goes away, and counts no refusal', async () => {
    const { queue, onRefused } = queueOf({ seats: 1 });
    const { requests, enter } = entering(queue);
    await enter('a', 'a1');
    const left = enter('b', 'b1');
    requests.get('b1')?.close();
    await expect(left).rejects.toThrow();
    expect(queue.figures().queued).toBe(0);
    expect(onRefused).not.toHaveBeenCalled();
  });

  it('does not begin for a client that was gone before', async () => {
    const { queue } = queueOf({ seats: 1 });
    const { enter } = entering(queue);
    await enter('a', 'a1');
    const gone = requestOf('b');
    gone.close();
    await expect(gone.enter(queue)).rejects.toThrow();
    expect(queue.figures().queued).toBe(0);
  });

  it('lets others work while a client reads its answer, but not more of the same flow', async () => {
    const { queue } = queueOf({ seats: 1, admittedPerFlow: 1 });
    const { begun, enter, finish } = entering(queue);
    for (const label of ['a1', 'a2', 'b1']) void enter(label[0] ?? '', label);
    await settled();
    await finish('a1');
    expect(begun).toEqual(['a1', 'b1']);
    expect(queue.figures()).toEqual({ working: 1, waitingForClient: 1, queued: 1 });
  });

  it('admits no more in total than it can hold, though no one is working', async () => {
    const { queue } = queueOf({ seats: 4, admitted: 2 });
    const { begun, enter, finish } = entering(queue);
    for (const label of ['a1', 'b1', 'c1']) void enter(label[0] ?? '', label);
    await settled();
    await finish('a1');
    await finish('b1');
    expect(begun).toEqual(['a1', 'b1']);
  });

  it('counts one who leaves once', async () => {
    const { queue } = queueOf();
    const { requests, enter, finish, leave } = entering(queue);
    await enter('a', 'a1');
    await leave('a1');
    requests.get('a1')?.close();
    await finish('a1');
    expect(queue.figures()).toEqual({ working: 0, waitingForClient: 0, queued: 0 });
  });
});
