import { describe, expect, it } from 'vitest';
import { listOf, versionOf, versionsOf, type SecretJson } from '../../harness/answers.ts';
import type { ClusterObject } from '../../harness/kube-client.ts';
import { historyOf, shortNames, type Replicas } from '../replicas.ts';
import { BROKEN_OFF, GOLDEN_LIMIT, GOLDEN_NAMESPACE as NAMESPACE } from './golden-recipe.ts';
import {
  annotation,
  byName,
  GOLDEN_VERSIONS,
  openLeader,
  readGolden,
  snapshotsOf,
  withGolden,
} from './golden.ts';

// What released versions wrote, through the API of this build. test/data/golden/README.md says how it was recorded.

/** 422 on every update and restore. */
const NEVER_EDITED = 'service-account-token';

const historyNow = ({ kube }: Replicas) => historyOf(kube, NAMESPACE);
const counterOf = (live: ClusterObject) => Math.max(1, Number(annotation(live, 'version') ?? '0'));

/** Only those fields that the recorded answer has: later versions may return more. */
const asRecorded = (answered: object, recorded: object): unknown =>
  Object.fromEntries(Object.keys(recorded).map((key) => [key, (answered as Record<string, unknown>)[key]]));

const allAsRecorded = (answered: readonly object[], recorded: readonly object[]): readonly unknown[] =>
  answered.map((one, index) => asRecorded(one, recorded[index] ?? {}));

/** The values of an answer in the form of the cluster's. */
function nativeValues({ data, binaryData }: Pick<SecretJson, 'data' | 'binaryData'>): object {
  const fromText = Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')]);
  return Object.fromEntries([...fromText, ...Object.entries(binaryData)]) as object;
}

describe.each(GOLDEN_VERSIONS)('Secrets and history of %s', (version) => {
  const golden = readGolden(version);

  it('are listed and read as that version answered them', async () => {
    await withGolden(golden, async (fixture) => {
      const replica = await openLeader(fixture);
      const secrets = replica.secrets(NAMESPACE);
      const list = listOf(await replica.admin.get(secrets.path()));
      expect(allAsRecorded(list.secrets, golden.list.secrets)).toEqual(golden.list.secrets);
      for (const { name, detail, versions, each } of golden.secrets) {
        expect(asRecorded(await secrets.read(name), detail.secret)).toEqual(detail.secret);
        const answered = versionsOf(await replica.admin.get(secrets.path(name, '/versions')));
        expect(allAsRecorded(answered.versions, versions.versions)).toEqual(versions.versions);
        for (const [index, { version: number }] of versions.versions.entries()) {
          const one = versionOf(await replica.admin.get(secrets.path(name, `/versions/${number}`)));
          const recorded = each[index]?.version ?? {};
          expect(asRecorded(one, recorded)).toEqual(recorded);
        }
      }
    });
  });

  it('have their values byte for byte, live and archived', async () => {
    await withGolden(golden, async (fixture) => {
      const replica = await openLeader(fixture);
      const secrets = replica.secrets(NAMESPACE);
      for (const live of golden.live) {
        const { name } = live.metadata;
        expect(nativeValues(await secrets.read(name)), name).toEqual(live.data ?? {});
        for (const snapshot of snapshotsOf(golden.history, live)) {
          const number = annotation(snapshot, 'history-version') ?? '';
          const one = versionOf(await replica.admin.get(secrets.path(name, `/versions/${number}`)));
          expect(nativeValues(one), snapshot.metadata.name).toEqual(snapshot.data ?? {});
        }
      }
    });
  });

  it('are restored, each version of each Secret, and no snapshot changes by it', async () => {
    await withGolden(golden, async (fixture) => {
      const replica = await openLeader(fixture, { SERVICE_HISTORY_LIMIT: '100' });
      const secrets = replica.secrets(NAMESPACE);
      for (const live of golden.live) {
        const { name } = live.metadata;
        for (const snapshot of snapshotsOf(golden.history, live)) {
          const { resourceVersion } = await secrets.read(name);
          const source = {
            version: Number(annotation(snapshot, 'history-version')),
            sourceResourceVersion: annotation(snapshot, 'history-resource-version'),
          };
          const body = { resourceVersion, ...source };
          const answer = await replica.admin.post(secrets.path(name, '/restore'), body);
          expect(answer.status, `${snapshot.metadata.name}: ${answer.text}`).toBe(200);
          const now = await fixture.kube.getSecret(NAMESPACE, name);
          expect(now).toMatchObject({ type: live.type, metadata: { uid: live.metadata.uid } });
          expect(now?.data ?? {}).toEqual(snapshot.data ?? {});
          expect(now?.immutable).toBe(live.immutable);
        }
      }
      const after = await historyNow(fixture);
      for (const { metadata, data } of golden.history) {
        const still = after.find((object) => object.metadata.uid === metadata.uid);
        expect(still?.data ?? {}, metadata.name).toEqual(data ?? {});
      }
    });
  });

  it('are updated: the replaced state is archived under the next number, and the oldest goes', async () => {
    await withGolden(golden, async (fixture) => {
      // The leader prunes nothing.
      await openLeader(fixture, { SERVICE_HISTORY_LIMIT: '1000' });
      const replica = await fixture.replica({ SERVICE_HISTORY_LIMIT: String(GOLDEN_LIMIT) });
      const secrets = replica.secrets(NAMESPACE);
      for (const live of golden.live.filter(({ metadata }) => metadata.name !== NEVER_EDITED)) {
        const { name, resourceVersion } = live.metadata;
        const updated = await secrets.update(name, { description: 'Written by this build' });
        expect(updated.version, name).toBe(counterOf(live) + 1);
        const now = snapshotsOf(await historyNow(fixture), live);
        const archived = now.find(
          (object) => annotation(object, 'history-resource-version') === resourceVersion,
        );
        expect(archived && annotation(archived, 'history-version'), name).toBe(String(counterOf(live)));
        expect(archived?.data ?? {}, name).toEqual(live.data ?? {});
        const before = snapshotsOf(golden.history, live).length;
        expect(now, name).toHaveLength(Math.min(name === BROKEN_OFF ? before : before + 1, GOLDEN_LIMIT));
      }
      const limited = (await historyNow(fixture)).filter(({ metadata }) =>
        metadata.name.startsWith('at-the-limit.'),
      );
      const kept = Array.from({ length: GOLDEN_LIMIT }, (_, index) => `at-the-limit.v${index + 4}`);
      expect(shortNames(limited)).toEqual(kept.sort());
    });
  });

  it('go on where an update was broken off, with the snapshot that it has stored', async () => {
    await withGolden(golden, async (fixture) => {
      const replica = await openLeader(fixture);
      const uidOf = (objects: readonly ClusterObject[]) =>
        objects.find(({ metadata }) => metadata.name.startsWith(`${BROKEN_OFF}.v3.`))?.metadata.uid;
      await replica.secrets(NAMESPACE).update(BROKEN_OFF, { data: { value: 'live now' } });
      expect(uidOf(await historyNow(fixture))).toBe(uidOf(golden.history));
      expect(await replica.secrets(NAMESPACE).versions(BROKEN_OFF)).toEqual([3, 2, 1]);
    });
  });

  it('are deleted with their history, and the history of earlier Secrets of the name stays', async () => {
    await withGolden(golden, async (fixture) => {
      const replica = await openLeader(fixture);
      const secrets = replica.secrets(NAMESPACE);
      for (const { metadata } of golden.live) {
        const path = secrets.deletePath(metadata.name, metadata.resourceVersion ?? '');
        const answer = await replica.admin.delete(path);
        expect(answer, metadata.name).toMatchObject({ status: 200, json: { history: 'cleaned' } });
      }
      const left = await fixture.kube.listSecrets(NAMESPACE);
      expect([...left].sort(byName)).toEqual([...golden.orphans].sort(byName));
    });
  });

  it('are deleted without their history where that is to be kept', async () => {
    await withGolden(golden, async (fixture) => {
      const replica = await openLeader(fixture);
      const secrets = replica.secrets(NAMESPACE);
      const before = await historyNow(fixture);
      for (const { metadata } of golden.live) {
        const path = secrets.deletePath(metadata.name, metadata.resourceVersion ?? '', '&keepHistory=true');
        expect((await replica.admin.delete(path)).json).toMatchObject({ history: 'retained' });
      }
      expect(await fixture.kube.listSecrets(NAMESPACE)).toEqual(before);
    });
  });
});
