import type { PageRequest } from '../../../src/kube/page.ts';
import type { Page } from '../../../src/kube/page.ts';
import type { Watch, Watchable, WatchedObject, WatchEvent } from '../../../src/informers/ports.ts';

export interface Thing extends WatchedObject {
  readonly text: string;
}

export function thing(name: string, revision: number, more: Partial<Thing> = {}): Thing {
  return {
    namespace: 'ns',
    name,
    uid: `uid-${name}`,
    resourceVersion: String(revision),
    text: name,
    ...more,
  };
}

/** A watch that a test feeds by hand. */
export interface ScriptedWatch {
  readonly revision: string;
  readonly timeoutSeconds: number;
  readonly aborted: boolean;
  send(...events: WatchEvent<Thing>[]): void;
  /** A byte that is no event yet: it only ends the silence. */
  touch(): void;
  /** The cluster ends the body. */
  end(): void;
  /** The connection breaks, or the cluster says ERROR. */
  fail(error: Error): void;
}

export interface ScriptedSource extends Watchable<Thing> {
  readonly lists: PageRequest[];
  readonly watches: ScriptedWatch[];
  /** The watch that was opened last. */
  readonly lastWatch: () => ScriptedWatch;
  /** Answers of the lists to come, in order: pages (or when they arrive), or errors to throw. The last one is repeated. */
  pages: (Page<Thing> | Promise<Page<Thing>> | Error)[];
  /** How many turns were taken. */
  turns: number;
  /** Errors that the watches to come are refused with; undefined opens one. */
  refusals: (Error | undefined)[];
}

export function page(
  revision: number,
  items: readonly Thing[],
  continueToken?: string,
  bytes = 100 * items.length,
): Page<Thing> {
  return { items, resourceVersion: String(revision), continueToken, bytes };
}

export function createScriptedSource(now: () => number): ScriptedSource {
  const watches: ScriptedWatch[] = [];
  const source: ScriptedSource = {
    resource: 'things',
    namespace: undefined,
    turns: 0,
    takeTurn: () => {
      source.turns++;
      return Promise.resolve();
    },
    lists: [],
    watches,
    pages: [page(10, [])],
    refusals: [],
    lastWatch: () => {
      const last = watches.at(-1);
      if (last === undefined) throw new Error('no watch was opened');
      return last;
    },
    listPage: (request) => {
      source.lists.push(request);
      const answer = source.pages.length > 1 ? source.pages.shift() : source.pages[0];
      if (answer === undefined) throw new Error('the script has no page');
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
    watch: (revision, timeoutSeconds, signal) => {
      const refusal = source.refusals.shift();
      if (refusal !== undefined) return Promise.reject(refusal);
      const { watch, script } = openWatch(revision, timeoutSeconds, signal, now);
      watches.push(script);
      return Promise.resolve(watch);
    },
  };
  return source;
}

type Frame = WatchEvent<Thing> | 'end' | Error;

function openWatch(
  revision: string,
  timeoutSeconds: number,
  signal: AbortSignal,
  now: () => number,
): { watch: Watch<Thing>; script: ScriptedWatch } {
  const frames: Frame[] = [];
  let lastByte = now();
  let wake: () => void = () => undefined;
  const push = (...more: Frame[]): void => {
    lastByte = now();
    frames.push(...more);
    wake();
  };
  signal.addEventListener('abort', () => {
    wake();
  });
  const events = async function* (): AsyncGenerator<WatchEvent<Thing>> {
    for (;;) {
      if (signal.aborted) return;
      const frame = frames.shift();
      if (frame === 'end') return;
      if (frame instanceof Error) throw frame;
      if (frame !== undefined) yield frame;
      else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  };
  return {
    watch: { events: events(), silenceMs: () => now() - lastByte },
    script: {
      revision,
      timeoutSeconds,
      get aborted() {
        return signal.aborted;
      },
      send: push,
      touch: () => {
        lastByte = now();
      },
      end: () => {
        push('end');
      },
      fail: (error) => {
        push(error);
      },
    },
  };
}
