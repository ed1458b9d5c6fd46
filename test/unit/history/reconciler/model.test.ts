import { it } from 'vitest';
import { runModel } from '../../../model/run-model.ts';

// The short run of the model; `make test-model` makes the long one.
it('a few random sequences of writes, failures, races and reconciles end as the model says', () =>
  runModel(40));
