import type { Mutant } from '../mutant.ts';

const ARCHIVE = 'src/history/snapshot/archive.ts';
const CLEANUP = 'src/history/snapshot/cleanup.ts';
const CONFIRM = 'src/history/snapshot/confirm.ts';
const FINAL = 'src/history/snapshot/final.ts';
const HISTORY = 'src/history/history.ts';

/** Archiving, proving, pruning and cleaning. */
export const HISTORY_WRITES: readonly Mutant[] = [
  {
    file: ARCHIVE,
    what: 'a snapshot that a webhook changed on create counts as stored',
    find: '    if (!holds(stored, draft)) await refuseChanged(store, stored, deadline);\n',
    replace: '',
  },
  {
    file: ARCHIVE,
    what: 'a snapshot that is being deleted counts as stored',
    find: "  if (existing.deletionTimestamp !== undefined) throw historyUnavailable('snapshotBeingDeleted');\n",
    replace: '',
  },
  {
    file: ARCHIVE,
    what: 'another content under the name of the snapshot is used as if it were the same',
    find: 'drafts.find((one) => holds(existing, one));',
    replace: 'drafts.find((one) => holds(existing, one)) ?? drafts[0];',
  },
  {
    file: ARCHIVE,
    what: 'a snapshot that a webhook changed is left in the way of every later attempt',
    find: 'await store.delete(stored, stored, deadline).catch(',
    replace: 'await Promise.resolve().catch(',
  },
  {
    file: ARCHIVE,
    what: 'a snapshot whose outcome is unknown makes the outcome of the update unknown',
    find: "throw historyUnavailable('snapshotNotCreated', error)",
    replace: 'throw error',
  },
  {
    file: CONFIRM,
    what: 'a snapshot that an earlier attempt has stored, and a deletion may have annotated, counts as new',
    find: 'if (archived.isNew && (await isUnchanged(',
    replace: 'if ((await isUnchanged(',
  },
  {
    file: CONFIRM,
    what: 'a snapshot that is there in any revision counts as unchanged',
    find: 'return found?.resourceVersion === resourceVersion && !found.terminating;',
    replace: 'return found !== undefined && resourceVersion !== undefined && !found.terminating;',
  },
  {
    file: CONFIRM,
    what: 'the watch need not have reached the replacement',
    find: '(await isUnchanged(context.index, archived.stored, written, deadline))',
    replace:
      '(await isUnchanged(context.index, archived.stored, { ...written, resourceVersion: archived.draft.name }, deadline))',
  },
  {
    file: CONFIRM,
    what: 'the snapshot is read again after the replacement instead of marked, which leaves a window',
    find: 'else requirePresent(await store.patchMetadata(known, known, patchOf(known), deadline));',
    replace: 'else if ((known = await store.read(draft, deadline)) === undefined) continue;',
  },
  {
    file: CONFIRM,
    what: 'a snapshot that is being deleted is marked and counts as staying',
    find: 'else requirePresent(await store.patchMetadata(known, known, patchOf(known), deadline));',
    replace: 'else await store.patchMetadata(known, known, patchOf(known), deadline);',
    survives:
      'The cluster annotates exactly the revision that was looked at, and that one was not being deleted.',
  },
  {
    file: CONFIRM,
    what: 'a snapshot that is found while it is being deleted counts as staying',
    find: '  requirePresent(existing);\n',
    replace: '',
  },
  {
    file: CONFIRM,
    what: 'a snapshot that a webhook changed when it was stored again counts as stored',
    find: "  if (!holds(await store.create(draft, deadline), draft)) throw historyUnavailable('snapshotChangedOnCreate');",
    replace: '  await store.create(draft, deadline);',
  },
  {
    file: CONFIRM,
    what: 'the update is acknowledged after the last attempt has failed',
    find: 'if (attempt === ATTEMPTS || !isServiceError(error, ...MAY_PASS)) throw notConfirmed(error, change);',
    replace:
      'if (attempt === ATTEMPTS) return;\n      if (!isServiceError(error, ...MAY_PASS)) throw notConfirmed(error, change);',
  },
  {
    file: CONFIRM,
    what: 'a snapshot with another content counts as the archived state',
    find: "  if (!holds(existing, draft)) throw historyUnavailable('snapshotReplaced');\n",
    replace: '',
  },
  {
    file: CONFIRM,
    what: 'a snapshot that is there counts as marked',
    find: 'if (known !== undefined && hasMetadata(known, withMetadata(draft, patchOf(known)))) return;',
    replace: 'if (known !== undefined) return;',
  },
  {
    file: HISTORY,
    what: 'the number is not compared with those in the history, so that numbers are used again',
    find: '      requireGrowingNumber(live, version, known);\n',
    replace: '',
  },
  {
    file: HISTORY,
    what: 'the number is compared after the snapshot has been stored',
    find:
      '      requireGrowingNumber(live, version, known);\n' +
      '      const archived = await archive(context, live, version, deadline);\n',
    replace:
      '      const archived = await archive(context, live, version, deadline);\n' +
      '      requireGrowingNumber(live, version, known);\n',
  },
  {
    file: HISTORY,
    what: 'the source of a restore is pruned before the replacement',
    find: 'snapshot.version === keepVersion;',
    replace: 'snapshot.version === keepVersion && keepVersion === undefined;',
  },
  {
    file: HISTORY,
    what: 'the source of a restore is never pruned',
    find: "      await prune(store, kept, deadline).catch(ignoring('historyUnavailable'));\n",
    replace: '',
  },
  {
    file: HISTORY,
    what: 'a source of a restore that cannot be pruned fails the restore that has succeeded',
    find: "await prune(store, kept, deadline).catch(ignoring('historyUnavailable'));",
    replace: 'await prune(store, kept, deadline);',
  },
  {
    file: HISTORY,
    what: 'snapshots are pruned before the current state is archived',
    find:
      '      const archived = await archive(context, live, version, deadline);\n' +
      '      const surplus = surplusOf(live, known, limit);\n' +
      '      const isKept = (snapshot: KnownSnapshot) => snapshot.version === keepVersion;\n' +
      '      await prune(\n' +
      '        store,\n' +
      '        surplus.filter((snapshot) => !isKept(snapshot)),\n' +
      '        deadline,\n' +
      '      );\n',
    replace:
      '      const surplus = surplusOf(live, known, limit);\n' +
      '      const isKept = (snapshot: KnownSnapshot) => snapshot.version === keepVersion;\n' +
      '      await prune(\n' +
      '        store,\n' +
      '        surplus.filter((snapshot) => !isKept(snapshot)),\n' +
      '        deadline,\n' +
      '      );\n' +
      '      const archived = await archive(context, live, version, deadline);\n',
  },
  {
    file: ARCHIVE,
    what: 'an update prunes by number, and not by the archived revision',
    find: 'return beyondLimit(eligible, (snapshot) => snapshot, live.resourceVersion, limit - 1);',
    replace:
      'return eligible\n' +
      '    .toSorted((one, other) => other.version - one.version)\n' +
      '    .slice(limit - 1)\n' +
      '    .reverse();',
  },
  {
    file: ARCHIVE,
    what: 'the state that is archived now has no place of its own, so that one too many stays',
    find: 'live.resourceVersion, limit - 1)',
    replace: 'live.resourceVersion, limit)',
  },
  {
    file: ARCHIVE,
    what: 'an update prunes what has incomplete metadata, or is being deleted',
    find: 'known.filter((snapshot) => snapshot.eligible)',
    replace: 'known',
  },
  {
    file: ARCHIVE,
    what: 'of what is beyond the limit the newest are removed first',
    find: 'surplus.slice(0, MAX_PRUNED)',
    replace: 'surplus.slice(-MAX_PRUNED)',
  },
  {
    file: ARCHIVE,
    what: 'an update removes no more than it adds, so that a history never shrinks to its limit',
    find: 'const MAX_PRUNED = 2;',
    replace: 'const MAX_PRUNED = 1;',
  },
  {
    file: ARCHIVE,
    what: 'a snapshot that another replica has pruned already fails the update',
    find: "      if (isServiceError(error, 'notFound')) continue; // Another replica removed it.\n",
    replace: '',
  },
  {
    file: ARCHIVE,
    what: 'an update that failed after archiving can never be repeated',
    find:
      '      snapshot.version > version ||\n' +
      '      (snapshot.version === version && snapshot.sourceResourceVersion !== live.resourceVersion),',
    replace: '      snapshot.version >= version,',
  },
  {
    file: ARCHIVE,
    what: 'a writer who was overtaken gets the answer that an admin must review the history',
    find: 'ahead.every(({ sourceResourceVersion }) =>',
    replace: 'ahead.length === 0 && ahead.every(({ sourceResourceVersion }) =>',
  },
  {
    file: ARCHIVE,
    what: 'one later state among the higher numbers hides a counter that was turned back',
    find: 'ahead.every(',
    replace: 'ahead.some(',
  },
  {
    file: CLEANUP,
    what: 'a cleaning deletion removes the newest first',
    find: 'snapshots.toReversed()',
    replace: 'snapshots',
  },
  {
    file: CLEANUP,
    what: 'a cleaning deletion goes on after the Secret has changed',
    find: '    await requireUnchanged();\n',
    replace: '',
  },
  {
    file: CLEANUP,
    what: 'no one looks for snapshots that were added during the cleaning',
    find: 'snapshots.length === 0 ? [] : await inventory()',
    replace: 'snapshots.length === 0 ? await inventory() : []',
  },
  {
    file: CLEANUP,
    what: 'a snapshot that a finalizer holds counts as removed',
    find: '    await confirmAbsence(store, current, deadline);\n',
    replace: '',
  },
  {
    file: CLEANUP,
    what: 'a snapshot that has changed meanwhile is reported as an unavailable history',
    find: "if (!isServiceError(error, 'conflict')) throw",
    replace: "if (!isServiceError(error, 'exists')) throw",
  },
  {
    file: CLEANUP,
    what: 'a cleaning deletion does not annotate the snapshot of the live revision, which an update may just have stored',
    find: 'return (await beginDeletion(context, stored, deadline).catch(unlessGone)) ?? stored;',
    replace: 'return stored;',
  },
  {
    file: CLEANUP,
    what: 'the live Secret is read before the snapshot is annotated, and not afterwards',
    find:
      '    const current = await announceIfLive(context, snapshot, live, deadline);\n' +
      '    await requireUnchanged();\n',
    replace:
      '    await requireUnchanged();\n' +
      '    const current = await announceIfLive(context, snapshot, live, deadline);\n',
  },
  {
    file: FINAL,
    what: 'a deletion makes the snapshot of an update final without announcing it',
    find: 'isNew ? stored : await beginDeletion(context, stored, deadline).catch(notFinal)',
    replace: 'stored',
  },
  {
    file: FINAL,
    what: 'the live Secret is not read after the annotation of a final snapshot',
    find: '  if (!isNew) await requireUnchanged();\n',
    replace: '',
  },
];
