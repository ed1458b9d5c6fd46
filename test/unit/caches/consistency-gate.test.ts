import { describe, expect, it } from 'vitest';
import type { ObjectRevision } from '../../../src/caches/consistency-gate.ts';
import { ConsistencyGate } from '../../../src/caches/consistency-gate.ts';
import type { ObservationStart } from '../../../src/lists/list-cache.ts';

let sequence = 0;
let version = 0;
const moment = (atMs = 0): ObservationStart => ({ sequence: ++sequence, atMs });

function cacheAt(
  revision: number | string | undefined,
  objects: Record<string, ObjectRevision> = {},
): Parameters<ConsistencyGate['judge']> {
  return [
    revision === undefined ? undefined : String(revision),
    { version: ++version, byName: new Map(Object.entries(objects)) },
  ];
}

const held = (uid: string, revision: number | string): ObjectRevision => ({
  uid,
  resourceVersion: String(revision),
});

describe('the gate of a namespace', () => {
  it('lets everything pass while nothing was seen', () => {
    expect(new ConsistencyGate().judge(...cacheAt(undefined))).toBe('past');
    expect(new ConsistencyGate().isEmpty).toBe(true);
  });

  it('wants the highest revision that was read or written, and then forgets it', () => {
    const gate = new ConsistencyGate();
    gate.noteRevision('a', '9', moment());
    gate.noteWritten('b', '100', moment());
    gate.noteRevision('c', '20', moment());
    expect(gate.judge(...cacheAt(99))).toBe('behind');
    expect(gate.judge(...cacheAt(100))).toBe('past');
    expect(gate.isEmpty).toBe(true);
  });

  it('compares revisions as numbers of any length', () => {
    const gate = new ConsistencyGate();
    gate.noteRevision('a', '10000000000000000000000001', moment());
    expect(gate.judge(...cacheAt('9999999999999999999999999'))).toBe('behind');
    expect(gate.judge(...cacheAt('10000000000000000000000001'))).toBe('past');
  });

  it('of revisions that are no numbers trusts nothing but the sight of the last live list', () => {
    const gate = new ConsistencyGate();
    gate.noteRevision('a', 'abc', moment(5));
    expect(gate.judge(...cacheAt('abd', { a: held('u', 'abd') }))).toBe('uncertain');
    gate.noteList({ resourceVersion: 'abe', items: [held('u', 'abd')] }, moment(6));
    expect(gate.judge(...cacheAt('abd', { a: held('u', 'abd') }))).toBe('past');
    expect(gate.judge(...cacheAt('abc', { a: held('u', 'abc') }))).toBe('behind');
  });

  it('keeps the later of two deletions under a name, in whatever order they are noted', () => {
    const gate = new ConsistencyGate();
    gate.noteDeleted('a', held('second', 12), moment());
    gate.noteDeleted('a', held('first', 10), moment());
    expect(gate.judge(...cacheAt(11, { a: held('second', 11) }))).toBe('behind');
  });

  it('does not show what was deleted, nor what was not there when it was read', () => {
    const gate = new ConsistencyGate();
    gate.noteDeleted('a', held('uid-a', 10), moment());
    gate.noteAbsent('b', moment());
    expect(gate.judge(...cacheAt(10, { a: held('uid-a', 10) }))).toBe('behind');
    expect(gate.judge(...cacheAt(11, { b: held('any', 3) }))).toBe('behind');
    expect(gate.judge(...cacheAt(11, { c: held('other', 11) }))).toBe('past');
    // Nothing in between was seen of b, so the note stays.
    expect(gate.judge(...cacheAt(12, { b: held('any', 12) }))).toBe('behind');
  });

  it('does not show what a later deletion has removed, although an earlier one is noted after it', () => {
    const gate = new ConsistencyGate();
    gate.noteDeleted('a', held('uid-b', 20), moment());
    gate.noteDeleted('a', held('uid-a', 10), moment());
    expect(gate.judge(...cacheAt(20, { a: held('uid-b', 20) }))).toBe('behind');
  });

  it('shows what waits for its finalizers, and what came after under the same name', () => {
    const gate = new ConsistencyGate();
    gate.noteDeleted('a', held('uid-a', 10), moment());
    expect(gate.judge(...cacheAt(12, { a: held('uid-a', 12) }))).toBe('past');
    gate.noteDeleted('a', held('uid-a', 12), moment());
    expect(gate.judge(...cacheAt(14, { a: held('uid-b', 14) }))).toBe('past');
    expect(gate.isEmpty).toBe(true);
  });

  it('is certain once the name is read, or written, again; but not by what was under way before', () => {
    const gate = new ConsistencyGate();
    const before = moment();
    gate.noteAbsent('a', moment());
    gate.noteRevision('a', '5', before);
    expect(gate.judge(...cacheAt(9, { a: held('u', 5) }))).toBe('behind');
    gate.noteRevision('a', '5', moment());
    expect(gate.judge(...cacheAt(9, { a: held('u', 5) }))).toBe('past');
    expect(gate.isEmpty).toBe(true);
  });

  it('is past all that was noted before a write once it has reached that write', () => {
    const gate = new ConsistencyGate();
    gate.noteAbsent('a', moment());
    gate.noteWritten('b', '20', moment());
    expect(gate.judge(...cacheAt(20, { a: held('u', 15) }))).toBe('past');
    expect(gate.isEmpty).toBe(true);
  });

  it('after a live list shows the same, or is past its revision', () => {
    const gate = new ConsistencyGate();
    gate.noteList({ resourceVersion: '50', items: [held('u', 10), held('v', 20)] }, moment());
    expect(gate.judge(...cacheAt(20, { b: held('v', 20), a: held('u', 10) }))).toBe('past');
    expect(gate.judge(...cacheAt(30, { b: held('v', 30), a: held('u', 10) }))).toBe('behind');
    expect(gate.judge(...cacheAt(30, { a: held('u', 10) }))).toBe('behind');
    expect(gate.judge(...cacheAt(50, { a: held('u', 10) }))).toBe('past');
    expect(gate.isEmpty).toBe(true);
  });

  it('takes a live list for everything that was noted before it was begun, and for nothing else', () => {
    const gate = new ConsistencyGate();
    gate.noteAbsent('a', moment());
    const begun = moment();
    gate.noteAbsent('b', moment());
    gate.noteList({ resourceVersion: '50', items: [held('u', 10)] }, begun);
    expect(gate.judge(...cacheAt(50, { a: held('u', 10) }))).toBe('past');
    expect(gate.judge(...cacheAt(50, { b: held('v', 50) }))).toBe('behind');
  });

  it('keeps to the newest of several live lists, in whatever order they end', () => {
    const gate = new ConsistencyGate();
    gate.noteList({ resourceVersion: '60', items: [] }, moment());
    gate.noteList({ resourceVersion: '50', items: [held('u', 10)] }, moment());
    expect(gate.judge(...cacheAt(40, { a: held('u', 10) }))).toBe('behind');
    expect(gate.judge(...cacheAt(40))).toBe('past');
  });

  it('that is uncertain lets nothing pass until a live list that was begun late enough', () => {
    const gate = new ConsistencyGate();
    gate.markUncertain(1_000);
    gate.markUncertain(500);
    gate.noteList({ resourceVersion: '50', items: [] }, moment(999));
    expect(gate.judge(...cacheAt(99))).toBe('uncertain');
    gate.noteList({ resourceVersion: '51', items: [] }, moment(1_000));
    expect(gate.judge(...cacheAt(99))).toBe('past');
    expect(gate.isEmpty).toBe(true);
  });

  it('that is uncertain lets a cache pass that has reached a revision of the cluster, read late enough', () => {
    const gate = new ConsistencyGate();
    gate.markUncertain(1_000);
    gate.noteClusterRevision('50', moment(999));
    expect(gate.judge(...cacheAt(99))).toBe('uncertain');
    gate.noteClusterRevision('60', moment(1_000));
    expect(gate.judge(...cacheAt(59))).toBe('behind');
    expect(gate.judge(...cacheAt(60))).toBe('past');
    expect(gate.isEmpty).toBe(true);
  });

  it('that is uncertain still compares with a live list of the revision that its first page had', () => {
    const gate = new ConsistencyGate();
    gate.markUncertain(0);
    const begun = moment();
    gate.noteClusterRevision('50', begun);
    expect(gate.judge(...cacheAt(20, { a: held('u', 10) }))).toBe('behind');
    expect(gate.mayHaveObjects).toBe(true);
    gate.noteList({ resourceVersion: '50', items: [held('u', 10)] }, begun);
    expect(gate.judge(...cacheAt(20, { a: held('u', 10) }))).toBe('past');
  });

  it('requires no revision of the cluster while no write is uncertain', () => {
    const gate = new ConsistencyGate();
    gate.noteAbsent('a', moment());
    gate.noteClusterRevision('60', moment());
    expect(gate.judge(...cacheAt(10))).toBe('past');
  });

  it('reaches the first of several revisions of the cluster, not the last', () => {
    const gate = new ConsistencyGate();
    gate.noteAbsent('a', moment());
    for (const revision of ['60', '70']) gate.noteClusterRevision(revision, moment());
    expect(gate.judge(...cacheAt(60, { a: held('u', 50) }))).toBe('past');
  });

  it('forgets what was noted before a revision of the cluster, once the cache has reached it, and nothing later', () => {
    const gate = new ConsistencyGate();
    gate.noteAbsent('a', moment());
    const since = moment();
    gate.noteAbsent('b', moment());
    gate.noteClusterRevision('60', since);
    expect(gate.judge(...cacheAt(60, { a: held('u', 50) }))).toBe('past');
    expect(gate.judge(...cacheAt(60, { b: held('u', 50) }))).toBe('behind');
    gate.noteClusterRevision('no number', moment());
    expect(gate.judge(...cacheAt(60))).toBe('past');
  });

  it('remembers no more than 256 names; then a live list has to take their place', () => {
    const gate = new ConsistencyGate();
    for (let name = 0; name < 256; name++) gate.noteAbsent(String(name), moment());
    expect(gate.judge(...cacheAt(1))).toBe('past');
    gate.noteAbsent('one more', moment(7));
    expect(gate.judge(...cacheAt(1))).toBe('uncertain');
    gate.noteList({ resourceVersion: '1', items: [] }, moment(8));
    expect(gate.judge(...cacheAt(1))).toBe('past');
    expect(gate.isEmpty).toBe(true);
  });
});
