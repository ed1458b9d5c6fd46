import { expect, test } from 'vitest';
import type { Consumer } from '../src/api/secrets-api.ts';
import { needsRestart, usesInWords } from '../src/features/restart/workloads.ts';

const consumer = (kind: Consumer['kind'], ...uses: Consumer['uses'][number][]): Consumer => {
  return { kind, name: 'a', uses };
};

test.each([
  [consumer('Deployment', 'env'), true],
  [consumer('StatefulSet', 'envFrom', 'volume'), true],
  [consumer('DaemonSet', 'volume'), false],
  [consumer('Deployment', 'imagePullSecret'), false],
  [consumer('CronJob', 'env'), false],
])('%o needs a restart: %s', (one, needed) => {
  expect(needsRestart(one)).toBe(needed);
});

test('uses are said in words', () => {
  expect(usesInWords(['envFrom', 'volume'])).toBe('all keys as environment variables, files in a volume');
});
