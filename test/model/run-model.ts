import fc from 'fast-check';
import { sequences } from './operations.ts';
import { World } from './world.ts';

/**
 * Runs random sequences against the model, and shrinks the first one that goes wrong. The seed is printed, so that
 * a run can be repeated: MODEL_SEED=… in the environment.
 */
export async function runModel(runs: number): Promise<void> {
  const given = process.env['MODEL_SEED'] ?? '';
  const seed = given === '' ? Math.floor(Math.random() * 2 ** 31) : Number(given);
  console.log(`history model: ${runs} sequences with MODEL_SEED=${seed}`);
  await fc.assert(
    fc.asyncProperty(fc.boolean(), sequences, async (orphansExpire, operations) => {
      const world = new World(orphansExpire);
      for (const operation of operations) await world.perform(operation);
      await world.settle();
    }),
    { seed, numRuns: runs },
  );
}
