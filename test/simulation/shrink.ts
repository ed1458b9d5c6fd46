/** Whether a run with these choices still goes wrong, and in which words. */
export type StillFails = (sequence: readonly number[]) => Promise<string | undefined>;

export interface Shrunk {
  readonly sequence: readonly number[];
  readonly failure: string;
}

/** Runs that a shrinking may take. */
const MAX_RUNS = 2_000;

/**
 * Makes a failing sequence of choices as short and as small as it can within a bound: first whole blocks are left out,
 * then single choices become 0, then smaller.
 */
export async function shrink(first: Shrunk, stillFails: StillFails): Promise<Shrunk> {
  const search = new Search(first, stillFails);
  let before: number;
  do {
    before = search.best.sequence.length + sum(search.best.sequence);
    for (let block = search.best.sequence.length >> 1; block >= 1; block >>= 1) await search.leaveOut(block);
    await search.lower();
  } while (search.isOpen && search.best.sequence.length + sum(search.best.sequence) < before);
  return search.best;
}

class Search {
  best: Shrunk;
  readonly #stillFails: StillFails;
  #runs = 0;

  constructor(first: Shrunk, stillFails: StillFails) {
    this.best = first;
    this.#stillFails = stillFails;
  }

  get isOpen(): boolean {
    return this.#runs < MAX_RUNS;
  }

  async leaveOut(block: number): Promise<void> {
    for (let at = 0; at < this.best.sequence.length && this.isOpen;) {
      const shorter = this.best.sequence.toSpliced(at, block);
      if (!(await this.#takes(shorter))) at += block;
    }
  }

  async lower(): Promise<void> {
    for (let at = 0; at < this.best.sequence.length && this.isOpen; at++) {
      const value = this.best.sequence[at] ?? 0;
      if (value === 0) continue;
      if (await this.#takes(this.best.sequence.with(at, 0))) continue;
      await this.#takes(this.best.sequence.with(at, value >> 1));
    }
  }

  async #takes(sequence: readonly number[]): Promise<boolean> {
    this.#runs++;
    const failure = await this.#stillFails(sequence);
    if (failure === undefined) return false;
    this.best = { sequence, failure };
    return true;
  }
}

function sum(sequence: readonly number[]): number {
  return sequence.reduce((total, value) => total + value, 0);
}
