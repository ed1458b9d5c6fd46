import { expect, it } from 'vitest';
import { randomChoices, repeatedChoices } from './choices.ts';
import { shrink } from './shrink.ts';
import { simulate } from './world.ts';

const SEEDS = Number(process.env['SIMULATION_SEEDS'] ?? '2000');
const FIRST = Number(process.env['SIMULATION_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const TIMEOUT_MS = 30 * 60_000;

it(
  'in every order of calls, crashes and watch events: what was promised was kept',
  async () => {
    console.log(`simulation: ${SEEDS} seeds from SIMULATION_SEED=${FIRST}`);
    let acknowledged = 0;
    for (let index = 0; index < SEEDS; index++) {
      const choices = randomChoices(FIRST + index);
      const outcome = await simulate(choices);
      acknowledged += outcome.acknowledged;
      if (outcome.failure === undefined) continue;
      const failsAlike = async (sequence: readonly number[]) =>
        (await simulate(repeatedChoices(sequence))).failure;
      const shrunk = await shrink({ sequence: choices.made, failure: outcome.failure }, failsAlike);
      const { log } = await simulate(repeatedChoices(shrunk.sequence));
      expect.fail(`SIMULATION_SEED=${FIRST + index}: ${shrunk.failure}\n${log.join('\n')}`);
    }
    console.log(`simulation: ${acknowledged} acknowledged writes and reads`);
    expect(acknowledged).toBeGreaterThan(SEEDS);
  },
  TIMEOUT_MS,
);
