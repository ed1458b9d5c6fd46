import { readHistory } from './decide.ts';
import type { AnnotationNames } from '../annotation-names.ts';
import type { Tracked } from './tracked.ts';

/** How many history objects there are, by what has become of them. */
export interface Census {
  /** All marks are there, and so is the live Secret. */
  readonly bound: number;
  /** All marks are there, and the live Secret is gone. */
  readonly orphaned: number;
  /** A mark is missing or disagrees. */
  readonly inconsistent: number;
}

/** Counts the history objects of all keys. */
export function takeCensus(groups: Iterable<readonly Tracked[]>, names: AnnotationNames): Census {
  const census = { bound: 0, orphaned: 0, inconsistent: 0 };
  for (const group of groups) {
    const live = group.find((one) => one.kind === 'live');
    for (const one of group) if (one.kind === 'history') census[stateOf(one.object, live)]++;
  }
  return census;

  function stateOf(
    object: Extract<Tracked, { kind: 'history' }>['object'],
    live: { readonly name: string } | undefined,
  ): keyof Census {
    const read = readHistory(object, names);
    if (typeof read === 'string' || read.lostLabels.size > 0) return 'inconsistent';
    if (live === undefined) return 'orphaned';
    return live.name === read.marks.of ? 'bound' : 'inconsistent';
  }
}
