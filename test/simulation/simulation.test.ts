import { expect, it } from 'vitest';
import { randomChoices, repeatedChoices, type Choices } from './choices.ts';
import { simulateLease } from './lease-world.ts';
import { shrink } from './shrink.ts';
import { simulate, type Outcome } from './world.ts';

const SEEDS = Number(process.env['SIMULATION_SEEDS'] ?? '2000');
const FIRST = Number(process.env['SIMULATION_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const TIMEOUT_MS = 30 * 60_000;

it(
  'in every order of calls, crashes and watch events: what was promised was kept',
  async () => {
    const acknowledged = await holds(simulate, SEEDS);
    console.log(`simulation: ${acknowledged} acknowledged writes and reads`);
    expect(acknowledged).toBeGreaterThan(SEEDS);
  },
  TIMEOUT_MS,
);

it(
  'whenever processes are paused, ended, or have wrong clocks: only the holder of the Lease reconciles, and its work is done',
  async () => {
    const written = await holds(simulateLease, SEEDS / 5);
    console.log(`simulation: ${written} steps of reconcilers`);
    expect(written).toBeGreaterThan(SEEDS);
  },
  TIMEOUT_MS,
);

/** @returns what was acknowledged in all runs */
async function holds(run: (choices: Choices) => Promise<Outcome>, seeds: number): Promise<number> {
  console.log(`simulation: ${seeds} seeds from SIMULATION_SEED=${FIRST}`);
  let acknowledged = 0;
  for (let index = 0; index < seeds; index++) {
    const choices = randomChoices(FIRST + index);
    const outcome = await run(choices);
    acknowledged += outcome.acknowledged;
    if (outcome.failure === undefined) continue;
    const failsAlike = async (sequence: readonly number[]) => (await run(repeatedChoices(sequence))).failure;
    const shrunk = await shrink({ sequence: choices.made, failure: outcome.failure }, failsAlike);
    const { log } = await run(repeatedChoices(shrunk.sequence));
    expect.fail(`SIMULATION_SEED=${FIRST + index}: ${shrunk.failure}\n${log.join('\n')}`);
  }
  return acknowledged;
}
