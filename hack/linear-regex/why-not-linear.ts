import { automatonOf, UnprovableError } from './automaton.ts';
import { EVERY_CHARACTER, intersection } from './char-ranges.ts';
import { placesOf, type Place } from './ways.ts';

/**
 * Why the time of a pattern may grow faster than the text, as a predicate; undefined when it is proved not to.
 *
 * A backtracking engine walks, in the worst case, every way in which a beginning of the text can be read. The time is
 * linear when the number of ways to read any one beginning has a bound. It has none exactly when there are
 * two places p and q and a text that leads from p to p, from p to q and from q to q (Weber and Seidl, "On the degree of
 * ambiguity of finite automata", 1991): repeat the text, and change from p to q after any of the repetitions. The search for a
 * place to begin is one such p, so what is quadratic only because it is not anchored is found, too.
 */
export function whyNotLinear(source: string, flags: string): string | undefined {
  try {
    return ambiguityOf(placesOf(automatonOf(source, flags), flags.includes('y')));
  } catch (error) {
    if (error instanceof UnprovableError) return `cannot be proved linear: it ${error.message}`;
    throw error;
  }
}

function ambiguityOf(places: readonly Place[]): string | undefined {
  const reachable = places.map((_, index) => reachableFrom(places, index));
  const returns = (index: number) => reachable[index]?.has(index) === true;
  for (const [p, place] of places.entries()) {
    if (!returns(p)) continue;
    for (const [q, other] of places.entries()) {
      if (other.succeeds || !returns(q) || reachable[p]?.has(q) !== true) continue;
      const isTwice = place.next.get(q) === 'repeatedly' && reachable[q]?.has(p) === true;
      if (isTwice) return `is exponential: ${quoted(other)} repeats what is repeated`;
      if (p !== q && isReadTwice(places, reachable, [p, q])) return explained(place, other);
    }
  }
  return undefined;
}

const quoted = ({ atom }: Place): string => `\`${atom}\``;

function explained(place: Place, other: Place): string {
  return place.isSearch
    ? `is not linear: the search begins again within what ${quoted(other)} has read`
    : `is not linear: ${quoted(place)} and ${quoted(other)} can share the same characters in many ways`;
}

function reachableFrom(places: readonly Place[], from: number): ReadonlySet<number> {
  const found = new Set<number>();
  const waiting = [from];
  for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
    for (const to of places[index]?.next.keys() ?? []) {
      if (found.has(to)) continue;
      found.add(to);
      waiting.push(to);
    }
  }
  return found;
}

type Triple = readonly [number, number, number];

/** Whether one text leads from p to p, from p to q and from q to q: three walks over the same characters. */
function isReadTwice(
  places: readonly Place[],
  reachable: readonly ReadonlySet<number>[],
  [p, q]: readonly [number, number],
): boolean {
  const leadsTo = (from: number, to: number) => from === to || reachable[from]?.has(to) === true;
  const seen = new Set<string>();
  const waiting: Triple[] = [[p, p, q]];
  for (let triple = waiting.pop(); triple !== undefined; triple = waiting.pop()) {
    for (const next of stepsOf(places, triple)) {
      if (next[0] === p && next[1] === q && next[2] === q) return true;
      if (!leadsTo(next[0], p) || !leadsTo(next[1], q) || !leadsTo(next[2], q)) continue;
      const key = next.join();
      if (seen.has(key)) continue;
      seen.add(key);
      waiting.push(next);
    }
  }
  return false;
}

function* stepsOf(places: readonly Place[], [a, b, c]: Triple): Generator<Triple> {
  const following = (index: number) => [...(places[index]?.next.keys() ?? [])];
  const reads = (index: number) => places[index]?.reads ?? EVERY_CHARACTER;
  for (const first of following(a)) {
    for (const second of following(b)) {
      const shared = intersection(reads(first), reads(second));
      if (shared.length === 0) continue;
      for (const third of following(c)) {
        if (intersection(shared, reads(third)).length > 0) yield [first, second, third];
      }
    }
  }
}
