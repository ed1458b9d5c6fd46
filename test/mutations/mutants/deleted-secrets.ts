import type { Mutant } from '../mutant.ts';

const INVENTORY = 'src/history/snapshot/final-inventory.ts';
const FINAL = 'src/history/snapshot/final.ts';

/** Bugs around Secrets that were deleted with archive. */
export const DELETED_SECRETS: readonly Mutant[] = [
  {
    file: INVENTORY,
    what: 'the older of two final snapshots is listed',
    find: 'newestFirst(history.filter(isSnapshot), ({ parsed }) => parsed)[0]',
    replace: 'newestFirst(history.filter(isSnapshot), ({ parsed }) => parsed).at(-1)',
  },
  {
    file: INVENTORY,
    what: 'the UID of a found final snapshot is not compared when it is read',
    find: '  if (stored?.uid !== uid) return undefined;\n',
    replace: '  if (stored === undefined) return undefined;\n',
  },
  {
    file: INVENTORY,
    what: 'a living Secret with a label of history is listed as deleted',
    find: 'known.uidOf(of) !== uid && ',
    replace: '',
  },
  {
    file: FINAL,
    what: 'a pending deletion reuses a final snapshot with other values',
    find: 'sameData(final.stored.data, live.data) ? final : undefined',
    replace: 'final',
  },
  {
    file: FINAL,
    what: 'an update that is refused voids the record of a deletion that happens after all',
    find: "if (isServiceError(error, 'conflict'))",
    replace: "if (isServiceError(error, 'uncertain'))",
  },
  {
    file: FINAL,
    what: 'the final snapshot of a pending deletion is changed without reading the live Secret again',
    find: '  await requireUnchanged();\n  const { deletion, stored } = earlier;\n',
    replace: '  const { deletion, stored } = earlier;\n',
  },
  {
    file: FINAL,
    what: 'the record of a deletion overwrites the rules of a later revision',
    find: '(isOvertaken(known, live) ? record : proof)',
    replace: 'proof',
  },
  {
    file: FINAL,
    what: 'an earlier change of a pending Secret overwrites the rules of a later one',
    find: '(isOvertaken(known, changed) ? {} : { annotations: rules })',
    replace: '({ annotations: rules })',
  },
  {
    file: FINAL,
    what: 'a change of a pending Secret writes the record of the deletion as it was before',
    find: '(isOvertaken(known, changed) ? {} : { annotations: rules })',
    replace: '(isOvertaken(known, changed) ? {} : { ...proof, annotations })',
  },
  {
    file: 'src/history/snapshot/confirm.ts',
    what: 'a change voids a deletion that was accepted while it ran',
    find: 'written.deletionTimestamp !== undefined && managed.snapshot?.deletion !== undefined',
    replace: 'written.deletionTimestamp === undefined && managed.snapshot?.deletion !== undefined',
  },
  {
    file: 'src/secrets/delete-secret.ts',
    what: 'the size of a final snapshot is not checked',
    find: 'if (error !== undefined) throw error;',
    replace: '',
  },
  {
    file: 'src/history/snapshot/indexed-secret.ts',
    what: 'the index drops the marker of a final snapshot',
    find: 'isFinal = deletion !== undefined;',
    replace: 'isFinal = false;',
  },
];
