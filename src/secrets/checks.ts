import { createEventLoopYielder } from '../timing/event-loop-yielder.ts';

/** One check of a use case, named by what it requires. It changes nothing. @throws {ServiceError} when it is violated */
export type Check<Facts> = (facts: Facts) => void | Promise<void>;

/** Runs checks in their order, in slices; the first violation ends them. */
export async function runChecks<Facts>(checks: readonly Check<Facts>[], facts: Facts): Promise<void> {
  const yielder = createEventLoopYielder();
  for (const check of checks) {
    await check(facts);
    await yielder.yieldIfDue();
  }
}

/** A fact that is gathered when a check first needs it, so that no check is preceded by the work of a later one. */
export function gathered<Fact>(gather: () => Fact): () => Fact {
  let known: { readonly fact: Fact } | undefined;
  return () => (known ??= { fact: gather() }).fact;
}
