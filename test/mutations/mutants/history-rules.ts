import type { Mutant } from '../mutant.ts';

const COUNTER = 'src/kube/annotation-values.ts';
const FREE_VERSION = 'src/history/snapshot/free-version.ts';
const INVENTORY = 'src/history/snapshot/inventory.ts';
const KNOWN = 'src/history/snapshot/inventory.ts';
const VERSION_LIST = 'src/history/snapshot/version-list.ts';
const NAME = 'src/history/snapshot/snapshot.ts';
const RANK = 'src/history/snapshot/rank.ts';
const SNAPSHOT = 'src/history/snapshot/snapshot.ts';

/** What is a snapshot of what, and in which order. */
export const HISTORY_RULES: readonly Mutant[] = [
  {
    file: RANK,
    what: 'the order is that of the numbers, and the archived revision decides between equals alone',
    find: '      if (one.revision !== other.revision)',
    replace:
      '      if (one.aged.version !== other.aged.version) return other.aged.version - one.aged.version;\n' +
      '      if (one.revision !== other.revision)',
  },
  {
    file: RANK,
    what: 'of two snapshots of one revision the lower number is the newer one',
    find: 'return other.aged.version - one.aged.version;',
    replace: 'return one.aged.version - other.aged.version;',
  },
  {
    file: RANK,
    what: 'a snapshot whose source is still live has a rank, and pushes out the source of a restore that then fails',
    find:
      'const replaced = items.filter((item) =>\n' +
      '    isReplaced(agedOf(item).sourceResourceVersion, liveResourceVersion),\n' +
      '  );',
    replace: 'const replaced = items;',
  },
  {
    file: RANK,
    what: 'what is beyond the limit is removed newest first',
    find: '.slice(limit).reverse()',
    replace: '.slice(limit)',
  },
  {
    file: RANK,
    what: 'revisions are compared as texts',
    find: 'return isLater(live, source);',
    replace: 'return sourceResourceVersion < liveResourceVersion;',
  },
  {
    file: RANK,
    what: 'a snapshot of a later revision than the known one counts as replaced',
    find: 'return isLater(live, source);',
    replace: 'return source !== live;',
  },
  {
    file: KNOWN,
    what: 'what archives a Secret of another name is counted and pruned',
    find: 'claimedUid === live.uid && parsed.of === live.name',
    replace: 'claimedUid === live.uid',
  },
  {
    file: KNOWN,
    what: 'a snapshot that is being deleted counts against the limit',
    find: 'eligible: !terminating && lostLabels.size === 0',
    replace: 'eligible: lostLabels.size === 0',
  },
  {
    file: KNOWN,
    what: 'a snapshot without a label counts against the limit, and is pruned before it is put right',
    find: 'eligible: !terminating && lostLabels.size === 0',
    replace: 'eligible: !terminating',
  },
  {
    file: KNOWN,
    what: 'a watch that is behind is taken for an empty history',
    find: 'watched?.historyOf(live.uid) ?? (await listHistory(context, live, deadline))',
    replace:
      'watched?.historyOf(live.uid) ?? (context.index === undefined ? await listHistory(context, live, deadline) : [])',
  },
  {
    file: KNOWN,
    what: 'the number of a snapshot with incomplete metadata is used again',
    find: 'const version = versionNamed(object.name, live);',
    replace: "const version = typeof parsed === 'string' ? undefined : versionNamed(object.name, live);",
  },
  {
    file: VERSION_LIST,
    what: 'a snapshot that is being deleted is listed as a version',
    find: 'bound.filter(({ stored }) => stored.deletionTimestamp === undefined)',
    replace: 'bound',
  },
  {
    file: INVENTORY,
    what: 'a snapshot of another Secret is cleaned',
    find: '\n    .filter((metadata) => archives(metadata, live));',
    replace: ';',
  },
  {
    file: VERSION_LIST,
    what: 'a version is compared with the next newer one',
    find: 'there[position + 1]',
    replace: 'there[position - 1]',
  },
  {
    file: VERSION_LIST,
    what: 'the live state is compared with a snapshot of itself',
    find: 'there.find((one) => isReplaced(one.sourceResourceVersion, live.resourceVersion))',
    replace: 'there[0]',
  },
  {
    file: INVENTORY,
    what: 'versions are listed, and snapshots cleaned, in the order of the cluster',
    find: 'return newestFirst(bound, (metadata) => metadata);',
    replace: 'return bound;',
  },
  {
    file: SNAPSHOT,
    what: 'a snapshot that has lost both of its kind annotation and label is an ordinary Secret',
    find: 'return (snapshot.uid !== undefined || snapshot.uidLabel !== undefined) && hasSnapshotName(name);',
    replace: 'return false;',
  },
  {
    file: SNAPSHOT,
    what: 'a snapshot whose label of the kind was removed is an ordinary Secret',
    find: 'if (snapshot.kind === HISTORY_KIND || snapshot.kindLabel === HISTORY_KIND) return true;',
    replace: 'if (snapshot.kindLabel === HISTORY_KIND) return true;',
  },
  {
    file: SNAPSHOT,
    what: 'snapshots can be changed by everyone',
    find: '    immutable: true,\n',
    replace: '    immutable: false,\n',
  },
  {
    file: SNAPSHOT,
    what: 'a snapshot with other values counts as stored',
    find: ' &&\n    sameData(stored.data, data)',
    replace: '',
  },
  {
    file: SNAPSHOT,
    what: 'a snapshot with other annotations counts as stored',
    find: ' && hasAll(stored.annotations, annotations)',
    replace: '',
  },
  {
    file: SNAPSHOT,
    what: 'the label of the UID is not compared with the annotation',
    find: "  if (!isLabel(snapshot.uidLabel, uid)) return 'uidLabelDisagrees';\n",
    replace: '',
  },
  {
    file: SNAPSHOT,
    what: 'the name of a snapshot is not compared with its metadata',
    find: "  if (name !== snapshotName(of, version, uid)) return 'nameDisagrees';\n",
    replace: '',
  },
  {
    file: SNAPSHOT,
    what: 'a snapshot of another UID belongs to whoever has the name',
    find: 'snapshot.uid === live.uid && snapshot.of === live.name',
    replace: 'snapshot.of === live.name',
  },
  {
    file: NAME,
    what: 'the name of a snapshot is longer than the cluster takes',
    find: 'MAX_NAME - suffix.length',
    replace: 'MAX_NAME',
  },
  {
    file: NAME,
    what: 'a cut in the middle of a label ends with a dash',
    find: "while (name[end - 1] === '-' || name[end - 1] === '.') end--;",
    replace: "while (name[end - 1] === '.') end--;",
  },
  {
    file: NAME,
    what: 'the number is taken from the name of any snapshot, whatever Secret it belongs to',
    find: 'Number.isSafeInteger(version) && name === snapshotName(live.name, version, live.uid)',
    replace: 'Number.isSafeInteger(version) && live.uid !== name',
  },
  {
    file: FREE_VERSION,
    what: 'a recovery begins with the newest archived number itself',
    find: 'Math.max(newestArchived + 1,',
    replace: 'Math.max(newestArchived,',
    survives: 'The newest archived number is among those that are taken, and is stepped over as such.',
  },
  {
    file: FREE_VERSION,
    what: 'a recovery does not step over a number that someone else has taken',
    find: 'candidate = version + 1;',
    replace: 'candidate = lowest;',
  },
  {
    file: FREE_VERSION,
    what: 'taken numbers are sorted as texts',
    find: '.sort((one, other) => one - other)',
    replace: '.sort()',
  },
  {
    file: FREE_VERSION,
    what: 'a snapshot that has lost its annotations is not counted as archived by a recovery',
    find: ' || snapshot?.uidLabel === uid',
    replace: '',
  },
  {
    file: COUNTER,
    what: 'a counter with leading zeros is a number',
    find: '/^(0|[1-9][0-9]{0,15})$/',
    replace: '/^[0-9]{1,16}$/',
  },
  {
    file: COUNTER,
    what: 'a counter of zero is a version',
    find: 'version === undefined || version === 0 ? 1 : version',
    replace: 'version ?? 1',
  },
  {
    file: VERSION_LIST,
    what: 'changes that were recorded against another version are shown',
    find: 'older === undefined || record?.since === older.sourceResourceVersion',
    replace: 'older === undefined || record !== undefined',
  },
  {
    file: VERSION_LIST,
    what: 'a record leaves no space for what a snapshot gains later',
    find: 'text.length > MAX_RECORD || !hasSpace',
    replace: 'text.length > MAX_RECORD && !hasSpace',
  },
  {
    file: VERSION_LIST,
    what: 'the snapshot of the live state is changed by a reader',
    find: 'isReplaced(snapshot.sourceResourceVersion, live.resourceVersion) && !isNextToGo',
    replace: '!isNextToGo',
  },
];
