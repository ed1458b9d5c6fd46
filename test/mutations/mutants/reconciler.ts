import type { Mutant } from '../mutant.ts';

const CODEC = 'src/kube/snapshot-codec.ts';
const DECIDE = 'src/history/reconciler/decide.ts';
const RECONCILE = 'src/history/reconciler/reconcile.ts';
const OTHERS = 'src/history/installation/other-installations.ts';
const INDEXED = 'src/history/snapshot/indexed-secret.ts';

export const RECONCILER: readonly Mutant[] = [
  {
    file: DECIDE,
    what: 'the history of a Secret that a finalizer holds is treated as orphaned',
    find: "if (state === 'terminating' || orphanTtlMs === undefined)",
    replace: 'if (orphanTtlMs === undefined)',
  },
  {
    file: DECIDE,
    what: 'without a known live revision everything has a rank',
    find: 'resourceVersion === undefined ? [] : ofReplaced(bound, resourceVersion, limit)',
    replace: "ofReplaced(bound, resourceVersion ?? '', limit)",
  },
  {
    file: DECIDE,
    what: 'the reconciler ranks a snapshot whose source is still the live revision',
    find: 'beyondLimit(bound, ({ parsed }) => parsed, resourceVersion, limit)',
    replace: "beyondLimit(bound, ({ parsed }) => parsed, 'any', limit)",
  },
  {
    file: DECIDE,
    what: 'the reconciler keeps one too few',
    find: 'parsed, resourceVersion, limit);',
    replace: 'parsed, resourceVersion, limit - 1);',
  },
  {
    file: DECIDE,
    what: 'a snapshot that is being deleted takes a place among the newest',
    find: 'parsed.lostLabels.size === 0 && !terminating',
    replace: 'parsed.lostLabels.size === 0',
  },
  {
    file: DECIDE,
    what: 'a snapshot without a label is pruned before it is put right',
    find: 'parsed.lostLabels.size === 0 && !terminating',
    replace: '!terminating',
  },
  {
    file: DECIDE,
    what: 'a time in the far future keeps an orphan for as long as it says',
    find: 'time <= nowMs + CLOCK_TOLERANCE_MS',
    replace: '!Number.isNaN(time)',
  },
  {
    file: DECIDE,
    what: 'an orphan is removed before its time',
    find: 'if (leftMs <= 0) steps',
    replace: 'if (leftMs <= CLOCK_TOLERANCE_MS) steps',
  },
  {
    file: DECIDE,
    what: 'an orphan is removed as soon as it is found',
    find: "steps.push({ kind: 'annotateOrphan', object });",
    replace: "steps.push({ kind: 'removeOrphan', object });",
  },
  {
    file: DECIDE,
    what: 'the orphaned-at annotation stays on the history of a Secret that came back',
    find: 'parsed.orphanedAt !== undefined',
    replace: "parsed.orphanedAt === ''",
  },
  {
    file: DECIDE,
    what: 'the record of a deletion is removed while that deletion may be under way',
    find: 'parsed.isFinal && isReplaced(parsed.sourceResourceVersion, resourceVersion)',
    replace: 'parsed.isFinal',
  },
  {
    file: INDEXED,
    what: 'history of a UID that now has another name is not reported but pruned',
    find: "return live !== undefined && live.name !== parsed.of ? 'belongsToAnotherName' : undefined;",
    replace: "return live !== undefined && live.name === '' ? 'belongsToAnotherName' : undefined;",
  },
  {
    file: RECONCILE,
    what: 'orphans are removed without a live read',
    find: "plan.steps.every(({ kind }) => kind === 'relabel')",
    replace: 'plan.steps.length >= 0',
  },
  {
    file: RECONCILE,
    what: 'a recreated Secret is taken for the deleted one, since its UID is not compared',
    find: 'found?.uid === uid ? stateOf(',
    replace: 'found !== undefined ? stateOf(',
  },
  {
    file: RECONCILE,
    what: 'a replica that has lost the Lease goes on writing',
    find: "    if (left <= 0) throw notNow('leadershipOver');\n",
    replace: '',
  },
  {
    file: DECIDE,
    what: 'what cannot be annotated begins its time with each leader',
    find: '[failedAt, ...ofOthers, ...ofDeletion]',
    replace: '[failedAt]',
  },
  {
    file: DECIDE,
    what: 'the time of the others is lost when they are removed first',
    find: '(one.own ?? 0) - (other.own ?? 0)',
    replace: '(other.own ?? 0) - (one.own ?? 0)',
  },
  {
    file: INDEXED,
    what: 'the time of a deletion counts although it failed',
    find: 'deletion?.accepted === true ? Date.parse(deletion.at) : undefined',
    replace: 'deletion && Date.parse(deletion.at)',
  },
  {
    file: RECONCILE,
    what: 'a step that fails permanently takes away the next look',
    find: '{ kind, reason, ...due }',
    replace: '{ kind, reason }',
  },
  {
    file: RECONCILE,
    what: 'the clock of the replica stands in for the time of the cluster until that is known',
    find: '    const now = clusterNow();\n',
    replace: '    const now = clusterNow() ?? wallNow();\n',
  },
  {
    file: RECONCILE,
    what: 'the time of one response is enough to expire orphans',
    find: 'this.#clocksDisagree ? undefined : now',
    replace: 'now',
  },
  {
    file: RECONCILE,
    what: 'a time that is no longer trusted still removes orphans',
    find: '        this.#requireTime();\n',
    replace: '',
  },
  {
    file: RECONCILE,
    what: 'a snapshot that is gone already ends the reconcile permanently',
    find: "      if (isServiceError(error, 'notFound')) return undefined;\n",
    replace: '',
  },
  {
    file: RECONCILE,
    what: 'a snapshot that has changed since the watch saw it ends the reconcile permanently',
    find: "const MAY_PASS = ['conflict', ",
    replace: 'const MAY_PASS = [',
  },
  {
    file: OTHERS,
    what: 'two installations over one namespace both give way',
    find: 'lease.createdAt < mine.createdAt',
    replace: 'lease.createdAt !== mine.createdAt',
  },
  {
    file: OTHERS,
    what: 'a forged Lease stops the history of other namespaces',
    find: 'namespace === ownLease.namespace || isOlder(lease, mine)',
    replace: "namespace !== ''",
  },
  {
    file: OTHERS,
    what: 'an installation that has ended keeps its namespaces',
    find: "lease.holder !== '' && now()",
    replace: "lease.resourceVersion !== '' && now()",
  },
  {
    file: OTHERS,
    what: 'an installation with another prefix is given way to',
    find: 'hasPrefix && isBelieved ? scope',
    replace: 'isBelieved ? scope',
  },
  {
    file: INDEXED,
    what: 'a snapshot that has lost its UID annotation meets no live Secret',
    find: 'managed.snapshot?.uid ?? managed.snapshot?.uidLabel ?? ',
    replace: 'managed.snapshot?.uid ?? ',
  },
  {
    file: CODEC,
    what: 'a label with another value is overwritten as if it were lost',
    find: 'wanted.filter(([name]) => !labels.has(name))',
    replace: 'wanted.filter(([name, text]) => labels.get(name) !== text)',
  },
];
