import { SORTS } from '../../src/lists/list-page.ts';
import type { ListedVersion } from '../consistency/recording.ts';
import type { FakeCluster } from '../fakes/fake-cluster.ts';
import { NAMES } from '../unit/history/reconciler/history-objects.ts';
import {
  createAttempt,
  deleteAttempt,
  listAttempt,
  listDeletedAttempt,
  pagesAttempt,
  purgeAttempt,
  readAttempt,
  refTo,
  restoreAttempt,
  undeleteAttempt,
  updateAttempt,
  versionsAttempt,
  type Attempt,
  type Deletion,
  type Written,
} from './attempts.ts';
import { choose, type Choices } from './choices.ts';
import { snapshotsIn } from './what-is-left.ts';
import type { Request } from './work.ts';

/** What an attempt is chosen from. */
export interface Chance {
  readonly fake: FakeCluster;
  readonly choices: Choices;
  readonly written: () => Written;
}

/** The first is the simplest. */
const DELETIONS: readonly [Deletion, ...Deletion[]] = [
  { keepHistory: false, archive: false },
  { keepHistory: true, archive: false },
  { keepHistory: true, archive: true },
];

/** On the state that is live now: by the time that the replica looks, it may be another. */
export function chooseAttempt(work: Request, name: string, chance: Chance): Attempt | undefined {
  const { fake, choices, written } = chance;
  const revision = fake.peek(refTo(name))?.resourceVersion;
  if (work === 'read') return readAttempt(name);
  if (work === 'versions') return versionsAttempt(name);
  if (work === 'listDeleted') return listDeletedAttempt();
  if (work === 'list') return listAttempt(choices.below(4) === 1);
  if (work === 'pages') return pagesAttempt(choose(choices, SORTS));
  if (work === 'create' || (revision === undefined && work === 'update'))
    return createAttempt(name, written());
  if (work === 'undelete' || work === 'purge') return chooseDeleted(work, name, chance);
  if (revision === undefined) return undefined;
  if (work === 'delete') return deleteAttempt(name, revision, choose(choices, DELETIONS));
  if (work !== 'restore') return updateAttempt(name, revision, written(), work === 'recover');
  const archived = archivedOf(fake, name);
  const chosen = archived[choices.below(Math.max(1, archived.length))];
  return chosen && restoreAttempt(name, revision, chosen);
}

/** Any final snapshot, be it that its live Secret still exists. */
function chooseDeleted(
  work: 'undelete' | 'purge',
  name: string,
  { fake, choices }: Chance,
): Attempt | undefined {
  const finals = snapshotsIn(fake).filter(({ annotations }) => annotations.has(NAMES.historyFinal));
  const uid = finals[choices.below(Math.max(1, finals.length))]?.annotations.get(NAMES.historyUid);
  if (uid === undefined) return undefined;
  return work === 'undelete' ? undeleteAttempt(name, uid) : purgeAttempt(name, uid);
}

function archivedOf(fake: FakeCluster, name: string): readonly ListedVersion[] {
  return snapshotsIn(fake)
    .filter(({ annotations }) => annotations.get(NAMES.historyOf) === name)
    .map(({ annotations }) => ({
      version: Number(annotations.get(NAMES.historyVersion)),
      source: Number(annotations.get(NAMES.historyResourceVersion)),
    }));
}
