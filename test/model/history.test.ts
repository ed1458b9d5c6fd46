import { it } from 'vitest';
import { runModel } from './run-model.ts';

const RUNS = Number(process.env['MODEL_RUNS'] ?? '2000');

it(
  'whatever users, operators, failures and races do: nothing acknowledged is lost, nothing unbound is touched',
  () => runModel(RUNS),
  20 * 60_000,
);
