import { type AST, RegExpParser } from '@eslint-community/regexpp';
import { rangesOf, type CharRanges } from './char-ranges.ts';

/** How a step that reads nothing can fail: never, unless at the very start of the text, or for another reason. */
type Guard = 'free' | 'start' | 'guarded';

interface Step {
  readonly to: number;
  readonly guard: Guard;
}

/** A state of the automaton of a pattern: it reads one character, or it branches. */
interface State {
  /** Undefined: nothing is read here. */
  readonly reads: CharRanges | undefined;
  readonly atom: string;
  readonly steps: Step[];
}

export interface Automaton {
  readonly states: readonly State[];
  readonly entry: number;
  readonly accept: number;
}

/** What a pattern holds that cannot be judged by an automaton. */
export class UnprovableError extends Error {}

/** A repetition of up to this many is written out; a longer one is taken for an endless one. */
const MOST_WRITTEN_OUT = 4;
const MOST_STATES = 2_000;

/**
 * The automaton of all ways in which a backtracking engine can read a text. It has every way that the engine has, and
 * at times more: a long bounded repetition counts as endless, and an assertion may hold anywhere.
 */
export function automatonOf(source: string, flags: string): Automaton {
  const hasCodePoints = flags.includes('u');
  const unicodeSets = flags.includes('v');
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, {
    unicode: hasCodePoints,
    unicodeSets,
  });
  const builder = new AutomatonBuilder(flags);
  const accept = builder.add();
  return { states: builder.states, entry: builder.branches(pattern.alternatives, accept), accept };
}

/** Builds from the end to the beginning: each part is given the state to go on with and returns the one to begin with. */
class AutomatonBuilder {
  readonly states: State[] = [];
  readonly #flags: string;

  constructor(flags: string) {
    this.#flags = flags;
  }

  add(steps: Step[] = [], reads?: CharRanges, atom = ''): number {
    if (this.states.length >= MOST_STATES) throw new UnprovableError('is too large to judge');
    return this.states.push({ reads, atom, steps }) - 1;
  }

  branches(alternatives: readonly AST.Alternative[], next: number): number {
    return this.add(alternatives.map(({ elements }) => step(this.#sequence(elements, next))));
  }

  #sequence(elements: readonly AST.Element[], next: number): number {
    return elements.reduceRight((rest, element) => this.#element(element, rest), next);
  }

  #element(element: AST.Element, next: number): number {
    switch (element.type) {
      case 'Quantifier':
        return this.#repetition(element, next);
      case 'Group':
        if (element.modifiers !== null) throw new UnprovableError('changes its flags on the way');
        return this.branches(element.alternatives, next);
      case 'CapturingGroup':
        return this.branches(element.alternatives, next);
      case 'Assertion':
        return this.add([{ to: next, guard: this.#guardOf(element) }]);
      case 'Backreference':
        throw new UnprovableError('refers back to a group');
      case 'ExpressionCharacterClass':
        throw new UnprovableError('has a class that is computed');
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
        return this.add([step(next)], this.#rangesOf(element), element.raw);
    }
  }

  #rangesOf({ raw }: AST.Node): CharRanges {
    if (this.#flags.includes('v') && /\\[pq]/.test(raw)) {
      throw new UnprovableError('has a class that may hold texts of several characters');
    }
    return rangesOf(raw, this.#flags);
  }

  #guardOf(assertion: AST.Assertion): Guard {
    if (assertion.kind === 'start') return this.#flags.includes('m') ? 'guarded' : 'start';
    if (assertion.kind === 'lookahead' || assertion.kind === 'lookbehind') {
      if (hasLoop(assertion)) throw new UnprovableError('looks ahead or behind without a bound');
    }
    return 'guarded';
  }

  #repetition({ element, min, max }: AST.Quantifier, next: number): number {
    if (max <= MOST_WRITTEN_OUT) return this.#copies(element, { min, max }, next);
    // What comes after is reached for certain only where one time is enough.
    const leave: Step = { to: next, guard: min > 1 ? 'guarded' : 'free' };
    const after = this.add();
    const body = this.#element(element, after);
    this.states[after]?.steps.push(step(body), leave);
    return min > 0 ? body : this.add([step(body), leave]);
  }

  #copies(element: AST.Element, { min, max }: { min: number; max: number }, next: number): number {
    let begin = next;
    for (let copy = max; copy > 0; copy--) {
      const body = this.#element(element, begin);
      begin = copy > min ? this.add([step(body), step(next)]) : body;
    }
    return begin;
  }
}

const step = (to: number): Step => ({ to, guard: 'free' });

function hasLoop(node: AST.Node): boolean {
  switch (node.type) {
    case 'Quantifier':
      return node.max > MOST_WRITTEN_OUT || hasLoop(node.element);
    case 'Assertion':
      return 'alternatives' in node && node.alternatives.some(hasLoop);
    case 'Group':
    case 'CapturingGroup':
      return node.alternatives.some(hasLoop);
    case 'Alternative':
      return node.elements.some(hasLoop);
    case 'Backreference':
      return true;
    default:
      return false;
  }
}
