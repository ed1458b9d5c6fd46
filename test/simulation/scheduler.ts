import type { Choices } from './choices.ts';

/** Something that waits for its turn. */
interface Step {
  readonly owner: string;
  readonly label: string;
  readonly run: () => void;
}

/** Steps that are there for as long as there is something to do, such as the delivery of watch events. */
export interface Source {
  readonly owner: string;
  readonly label: string;
  isReady(): boolean;
  run(): void;
}

/**
 * Decides what happens next in a simulated run: one step at a time, in an order that the choices alone decide. Between
 * two steps everything that became possible by the first one is done.
 */
export class Scheduler {
  readonly #choices: Choices;
  readonly #steps: Step[] = [];
  readonly #sources: Source[] = [];
  readonly #paused = new Set<string>();
  readonly #log: string[] = [];
  readonly #onStep: () => void;

  /** @param onStep is called after each step, before the code that waited for it goes on */
  constructor(choices: Choices, onStep: () => void) {
    this.#choices = choices;
    this.#onStep = onStep;
  }

  /** What has happened, for whoever reads a failed run. */
  get log(): readonly string[] {
    return this.#log;
  }

  note(text: string): void {
    this.#log.push(text);
  }

  addSource(source: Source): void {
    this.#sources.push(source);
  }

  /** Resolves when it is this one's turn, and not at all once its owner has crashed. */
  turn(owner: string, label: string): Promise<void> {
    return new Promise((resolve) => {
      this.#steps.push({ owner, label, run: resolve });
    });
  }

  /** Does something when it is its turn. */
  later(owner: string, label: string, run: () => void): void {
    this.#steps.push({ owner, label, run });
  }

  /** Whatever the owner waits for never comes. `keeps` says which steps happen all the same, without the owner. */
  crash(owner: string, keeps: (label: string) => boolean): void {
    const left = this.#steps.filter((step) => step.owner !== owner || keeps(step.label));
    this.#steps.splice(0, this.#steps.length, ...left);
    const sources = this.#sources.filter((source) => source.owner !== owner);
    this.#sources.splice(0, this.#sources.length, ...sources);
  }

  /** Nothing of the owner goes on until it is resumed, but for what it has sent already. */
  pause(owner: string): void {
    this.#paused.add(owner);
  }

  resume(owner: string): void {
    this.#paused.delete(owner);
  }

  /** Runs until nothing is left to do. @throws when that takes more than `limit` steps */
  async run(limit: number): Promise<void> {
    for (let count = 0; ; count++) {
      await settled();
      const ready = [
        ...this.#steps.filter(({ owner, label }) => !this.#paused.has(owner) || label.startsWith('sends ')),
        ...this.#sources.filter((source) => !this.#paused.has(source.owner) && source.isReady()),
      ];
      if (ready.length === 0) return;
      if (count === limit)
        throw new Error(`the run does not come to an end: ${this.#log.slice(-20).join('; ')}`);
      this.#perform(ready[this.#choices.below(ready.length)]);
      this.#onStep();
    }
  }

  #perform(step: Step | undefined): void {
    if (step === undefined) return;
    const index = this.#steps.indexOf(step);
    if (index !== -1) this.#steps.splice(index, 1);
    this.#log.push(`${step.owner}: ${step.label}`);
    step.run();
  }
}

/** Lets all promises that are ready settle, those among them that give way to other work now and then. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}
