import { futureRevision } from '../api/status.ts';
import { type FaultBook } from '../faults/fault-book.ts';
import { type FaultAction } from '../faults/rule.ts';
import { resourceOf } from '../kinds/kind.ts';
import { type Store } from '../store/store.ts';
import { type WatchPlan } from './watch-plan.ts';
import { WatchStream, type WatchSink, type WatchSubject } from './watch-stream.ts';

export interface WatchHub {
  /** Begins a watch. The returned function is to be called when the client is gone. */
  open(subject: WatchSubject, plan: WatchPlan, faults: readonly FaultAction[], sink: WatchSink): () => void;
  /** Sends a bookmark to every watch that takes them. */
  bookmark(): void;
  /** Cuts all watches and stops the timers. */
  close(): void;
}

/** The actions that can strike a watch that runs; all others are for its start, and do not count before. */
const OF_RUNNING_WATCHES = new Set(['endWatch', 'silenceWatch', 'lagWatch', 'dropBookmarks', 'gone']);

/** Hands every change of the store to the watches of its resource. */
export function createWatchHub(store: Store, faults: FaultBook, bookmarkEveryMs: number): WatchHub {
  const streams = new Map<string, Set<WatchStream>>();
  const all = (): WatchStream[] =>
    [...streams.values()].flatMap((set) => [...set]).filter((stream) => !stream.over);
  const bookmark = (): void => {
    for (const stream of all()) stream.bookmark(store.revision);
  };
  const timer = setInterval(bookmark, bookmarkEveryMs).unref();
  const unsubscribe = store.subscribe((change) => {
    for (const stream of streams.get(change.resource) ?? []) stream.notify(change);
  });
  faults.onAdded(({ id, rule }) => {
    if (!OF_RUNNING_WATCHES.has(rule.action.type)) return;
    for (const stream of all()) if (faults.strikeWith(id, stream.subject.target)) stream.apply(rule.action);
  });

  return {
    open(subject, plan, actions, sink) {
      const stream = new WatchStream(subject, sink);
      for (const action of actions) stream.apply(action);
      begin(stream, plan, store);
      const resource = resourceOf(subject.kind);
      const siblings = streams.get(resource) ?? new Set();
      streams.set(resource, siblings.add(stream));
      const timeout = setTimeout(() => {
        stream.timeOut(store.revision);
      }, plan.timeoutMs).unref();
      return () => {
        clearTimeout(timeout);
        siblings.delete(stream);
        stream.cut();
      };
    },
    bookmark,
    close() {
      clearInterval(timer);
      unsubscribe();
      for (const stream of all()) stream.cut();
      streams.clear();
    },
  };
}

/** Sends what comes before the live changes: what is there, or what has changed since a revision. */
function begin(stream: WatchStream, plan: WatchPlan, store: Store): void {
  const { kind, namespace, selection } = stream.subject;
  if (plan.initial) {
    if (plan.after > store.revision) {
      stream.refuse(futureRevision(plan.after, store.revision));
      return;
    }
    const entries = store.entries(kind, namespace);
    const objects = entries.map(([, object]) => object).filter((object) => selection.matches(object));
    void stream.sendState(objects, store.revision, plan.sendsInitialEventsEnd);
    return;
  }
  const after = plan.after === 0 ? store.revision : plan.after;
  if (after < store.compacted) {
    stream.tooOld(`too old resource version: ${after} (${store.compacted})`);
    return;
  }
  stream.startAfter(after);
  const resource = resourceOf(kind);
  for (const change of store.changesSince(after)) if (change.resource === resource) stream.notify(change);
}
