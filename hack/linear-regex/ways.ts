import { EVERY_CHARACTER, type CharRanges } from './char-ranges.ts';
import { UnprovableError, type Automaton } from './automaton.ts';

/** A place where the engine can be: it has just read a character of this atom, or is looking for a place to begin. */
export interface Place {
  readonly atom: string;
  readonly reads: CharRanges;
  /** The search for a place to begin, which may skip any character. */
  readonly isSearch: boolean;
  /** From here the pattern matches whatever follows, so that nothing is ever tried again. */
  readonly succeeds: boolean;
  /** Where the next character may lead, and whether there is more than one way to get there. */
  readonly next: ReadonlyMap<number, 'once' | 'repeatedly'>;
}

const MOST_STEPS = 20_000;

/**
 * The automaton without steps that read nothing. The search is the last place, unless the pattern has none: a sticky one
 * begins where `lastIndex` is.
 */
export function placesOf(automaton: Automaton, isSticky: boolean): readonly Place[] {
  const { states, entry } = automaton;
  const reading = states.flatMap(({ reads }, index) => (reads === undefined ? [] : [index]));
  const placeOf = new Map(reading.map((state, place) => [state, place]));
  const numbered = (found: ReadonlyMap<number, number>) =>
    new Map(
      [...found].flatMap(([state, ways]) => {
        const place = placeOf.get(state);
        return place === undefined ? [] : [[place, ways > 1 ? 'repeatedly' : 'once'] as const];
      }),
    );
  const places: Place[] = reading.map((index) => {
    const { reads = [], atom, steps } = states[index] ?? { steps: [], atom: '' };
    const after = steps[0]?.to ?? automaton.accept;
    return {
      atom,
      reads,
      isSearch: false,
      succeeds: waysFrom(automaton, after, ['free']).has(automaton.accept),
      next: numbered(waysFrom(automaton, after, ['free', 'start', 'guarded'])),
    };
  });
  if (isSticky) return places;
  // Beginning later than at the start of the text, nothing gets past a `^`.
  const begun = numbered(waysFrom(automaton, entry, ['free', 'guarded']));
  if (begun.size === 0 || waysFrom(automaton, entry, ['free']).has(automaton.accept)) return places;
  const search = places.length;
  const next = new Map([...begun, [search, 'once'] as const]);
  return [...places, { atom: '', reads: EVERY_CHARACTER, isSearch: true, succeeds: false, next }];
}

/** How many ways lead to each state that reads, and to the accepting one, without reading anything; two are many. */
function waysFrom(
  { states, accept }: Automaton,
  from: number,
  guards: readonly string[],
): ReadonlyMap<number, number> {
  const ways = new Map<number, number>();
  const onTheWay = new Set<number>();
  let steps = 0;
  const visit = (index: number): void => {
    if (++steps > MOST_STEPS) throw new UnprovableError('branches too much to judge');
    const state = states[index];
    if (state === undefined || onTheWay.has(index)) return;
    if (state.reads !== undefined || index === accept) {
      ways.set(index, (ways.get(index) ?? 0) + 1);
      return;
    }
    onTheWay.add(index);
    for (const { to, guard } of state.steps) if (guards.includes(guard)) visit(to);
    onTheWay.delete(index);
  };
  visit(from);
  return ways;
}
