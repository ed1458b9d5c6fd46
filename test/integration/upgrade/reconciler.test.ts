import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtCommand } from '../../harness/built-command.ts';
import type { ClusterObject } from '../../harness/kube-client.ts';
import { becomes, historyOf, loseLabels, shortNames, type Replicas } from '../replicas.ts';
import {
  BROKEN_OFF,
  GOLDEN_LIMIT,
  GOLDEN_NAMESPACE as NAMESPACE,
  ORPHANED_AND_RECREATED,
  ORPHANED_WITH_TIME,
  WITHOUT_LABELS,
} from './golden-recipe.ts';
import {
  annotation,
  byName,
  GOLDEN_VERSIONS,
  openLeader,
  readGolden,
  snapshotsOf,
  withGolden,
} from './golden.ts';

// What released versions wrote, as the reconciler and the operators' command of this build find it.

const CLI = builtCommand('history');
const REPORT = 'inconsistent history object';

const historyNow = ({ kube }: Replicas) => historyOf(kube, NAMESPACE);
const sourceRevision = (object: ClusterObject) => Number(annotation(object, 'history-resource-version'));

/** What one rule keeps: the newest two by archived revision, and what archives the state that is still live. */
function newestTwo(history: readonly ClusterObject[], live: ClusterObject): readonly ClusterObject[] {
  const ranked = [...history].sort((one, other) => sourceRevision(other) - sourceRevision(one));
  const isLive = (object: ClusterObject) => sourceRevision(object) === Number(live.metadata.resourceVersion);
  return [...ranked.filter(isLive), ...ranked.filter((object) => !isLive(object)).slice(0, 2)];
}

/** Runs the command on one Secret. @returns its exit code and standard output */
function history(kubeconfig: string, verb: string, name: string): Promise<readonly [number, string]> {
  return new Promise((resolve) => {
    const env = { PATH: process.env['PATH'], KUBECONFIG: kubeconfig };
    const args = [CLI, verb, '--namespace', NAMESPACE, '--secret', name];
    execFile(process.execPath, args, { env }, (error, stdout) => {
      resolve([typeof error?.code === 'number' ? error.code : 0, stdout]);
    });
  });
}

describe.each(GOLDEN_VERSIONS)('history of %s', (version) => {
  const golden = readGolden(version);

  it('is in order for the reconciler, but for the lost labels that it puts back', async () => {
    await withGolden(golden, async (fixture) => {
      const replica = await openLeader(fixture, { SERVICE_HISTORY_LIMIT: String(GOLDEN_LIMIT) });
      // Another one, put back after everything that was there from the beginning has been looked at.
      const [probe] = golden.history;
      const name = probe?.metadata.name ?? '';
      await loseLabels(fixture.kube, NAMESPACE, name);
      const labels = async () => (await fixture.kube.getSecret(NAMESPACE, name))?.metadata.labels;
      await becomes(labels, probe?.metadata.labels);
      const isRelabeled = ({ metadata }: ClusterObject) =>
        metadata.name === name || metadata.name.startsWith(`${WITHOUT_LABELS}.v1.`);
      const others = (objects: readonly ClusterObject[]) =>
        objects.filter((object) => !isRelabeled(object)).sort(byName);
      expect(others(await fixture.kube.listSecrets(NAMESPACE))).toEqual(
        others([...golden.live, ...golden.history]),
      );
      expect(await replica.metrics()).toContain('service_history_snapshots{state="inconsistent"} 0');
      expect(replica.logLines().filter(({ event }) => event === REPORT)).toEqual([]);
    });
  });

  it('is pruned to the newest by archived revision, a state that is still live apart', async () => {
    await withGolden(golden, async (fixture) => {
      await openLeader(fixture, { SERVICE_HISTORY_LIMIT: '2' });
      const kept = golden.live.flatMap((live) => newestTwo(snapshotsOf(golden.history, live), live));
      const expected = shortNames([...kept, ...golden.orphans]);
      await becomes(async () => shortNames(await historyNow(fixture)), expected);
      expect(expected.filter((name) => name.startsWith(BROKEN_OFF))).toHaveLength(3);
    });
  });

  it('expires where it is orphaned, annotated by that version or not, and nowhere else', async () => {
    await withGolden(golden, async (fixture) => {
      for (const name of [ORPHANED_WITH_TIME, ORPHANED_AND_RECREATED])
        expect(golden.orphans.some(({ metadata }) => metadata.name.startsWith(name))).toBe(true);
      await openLeader(fixture, { SERVICE_HISTORY_ORPHAN_TTL: '1s' });
      const owned = golden.history.filter((object) => !golden.orphans.includes(object));
      await becomes(async () => shortNames(await historyNow(fixture)), shortNames(owned));
    });
  });

  it('has no problem for the command that inspects it, but for the lost labels', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'service-test-'));
    await withGolden(golden, async (fixture) => {
      const kubeconfig = join(folder, 'kubeconfig');
      writeFileSync(kubeconfig, fixture.dev.kubeconfig(), { mode: 0o600 });
      const lost = await history(kubeconfig, 'verify', WITHOUT_LABELS);
      expect(lost).toEqual([1, expect.stringContaining('kindLabelMissing')]);
      await (await openLeader(fixture)).stop();
      for (const name of ['at-the-limit', WITHOUT_LABELS, BROKEN_OFF, ORPHANED_AND_RECREATED])
        expect((await history(kubeconfig, 'verify', name))[0], name).toBe(0);
      const [, listed] = await history(kubeconfig, 'list', ORPHANED_AND_RECREATED);
      expect(listed.match(/ (bound|orphaned) /g)).toEqual([' bound ', ' orphaned ', ' orphaned ']);
    });
    rmSync(folder, { recursive: true });
  });
});
