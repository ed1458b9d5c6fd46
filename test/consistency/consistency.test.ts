import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { judge } from './judge/judge.ts';
import { isAcknowledged, REQUEST_KINDS } from './recording.ts';
import { recordRun, tallyOf } from './run-checker.ts';

const OPERATIONS = Number(process.env['CONSISTENCY_OPERATIONS'] ?? '20000');
const SECONDS = Number(process.env['CONSISTENCY_SECONDS'] ?? '0');
const SEED = Number(process.env['CONSISTENCY_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
/** What a failed run leaves for whoever looks into it: names, revisions and digests, no values. */
const RECORDING = 'reports/consistency-recording.json.txt';
const TIMEOUT_MS = 30 * 60_000 + SECONDS * 1_000;

it(
  'under faults, kills, races and kubectl: what was promised was kept',
  async () => {
    console.log(`consistency: CONSISTENCY_SEED=${SEED}, ${OPERATIONS} acknowledged operations`);
    const begun = performance.now();
    const recording = await recordRun({
      ...{ seed: SEED, operations: OPERATIONS, seconds: SECONDS },
      kubeconfig: process.env['TEST_KUBECONFIG'] ?? '',
      otherBuild: process.env['CONSISTENCY_OTHER_BUILD'],
    });
    const violations = judge(recording);
    const tally = tallyOf(recording);
    const took = Math.round((performance.now() - begun) / 1_000);
    console.log(`consistency: ${recording.changes.length} changes in ${took} s`, tally);
    if (violations.length > 0) {
      mkdirSync('reports', { recursive: true });
      writeFileSync(RECORDING, JSON.stringify(recording));
    }
    expect(violations.slice(0, 20)).toEqual([]);
    expect(recording.operations.filter(isAcknowledged).length).toBeGreaterThanOrEqual(OPERATIONS);
    expect(Object.keys(tally)).toEqual(
      expect.arrayContaining(REQUEST_KINDS.map((kind) => `${kind} acknowledged`)),
    );
  },
  TIMEOUT_MS,
);
