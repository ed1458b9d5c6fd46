import type { Mutant } from '../mutant.ts';

const CODEC = 'src/kube/annotation-codec.ts';
const HISTORY = 'src/history/history.ts';
const LIST = 'src/lists/lists.ts';
const FRESH_VIEW = 'src/lists/fresh-view.ts';
const LIST_ITEM = 'src/lists/list-item.ts';
const LIVE_LISTS = 'src/lists/live-lists.ts';
const LISTS_VIEWS = 'src/lists/views.ts';
const OPEN = 'src/secrets/authorize.ts';
const VERSIONS = 'src/secrets/versions.ts';
const VIEW = 'src/secrets/secret-view.ts';

export const SECRETS_READS: readonly Mutant[] = [
  {
    file: OPEN,
    what: 'a history object is read like a Secret',
    find: "  if (claimsToBeHistory(live)) throw secretNotFound('historyObject');\n",
    replace: '',
  },
  {
    file: OPEN,
    what: 'unmanaged Secrets are visible where only managed ones should be',
    find: "  if (managedOnly && !live.managed.isManaged) throw secretNotFound('unmanaged');\n",
    replace: '',
  },
  {
    file: OPEN,
    what: 'no one waits for the decision about access',
    find: 'return { actor: await access.require(level, deadline), live, access }',
    replace: 'access.require(level, deadline).catch(() => undefined);\n  return { actor, live, access }',
  },
  {
    file: HISTORY,
    what: 'a version whose snapshot is being deleted is read and restored',
    find: 'if (stored === undefined || stored.deletionTimestamp !== undefined) return undefined;',
    replace: 'if (stored === undefined) return undefined;',
  },
  {
    file: HISTORY,
    what: 'a version of another Secret is read and restored',
    find: "typeof snapshot !== 'string' && archives(snapshot, live) ? snapshot : undefined",
    replace: "typeof snapshot !== 'string' ? snapshot : undefined",
  },
  {
    file: VERSIONS,
    what: 'people who request two revisions of a Secret share one list of versions',
    find: "[namespace, name, uid, resourceVersion].join('/')",
    replace: "[namespace, name, uid, typeof resourceVersion].join('/')",
  },
  {
    file: LIST,
    what: 'the policy is read before the Secrets',
    find: '      const { view, from } = await wholeView(lists, namespace, live, deadline);\n',
    replace:
      '      const early = await dependencies.authorizer.forList(actor, namespace, { live, newest: undefined }, deadline);\n' +
      '      const authorizer = { forList: (..._given: unknown[]) => Promise.resolve(early) };\n' +
      '      const { view, from } = await wholeView(lists, namespace, live, deadline);\n',
  },
  {
    file: LIST,
    what: 'a list joins newer Secrets with whatever policy is in memory',
    find: '{ live, newest: view.newest }, deadline)',
    replace: '{ live, newest: undefined }, deadline)',
  },
  {
    file: FRESH_VIEW,
    what: 'an answer from the cache for someone who requested a live list',
    find: "  if (live) return liveView(lists, namespace, 'noCache', deadline);\n",
    replace: '',
  },
  {
    file: LISTS_VIEWS,
    what: 'a list does not return the newest revision that it shows',
    find: "    newest = newerRevision(newest ?? '', item.resourceVersion);\n",
    replace: '    newest = undefined;\n',
  },
  {
    file: LIVE_LISTS,
    what: 'the cache does not get what a live list has shown',
    find: 'if (since !== undefined) listCache?.noteList',
    replace: 'if (since !== undefined && view.items.length === 0) listCache?.noteList',
  },
  {
    file: LIVE_LISTS,
    what: 'history objects without a label are listed as Secrets',
    find: 'claimsToBeHistory(secret) ? undefined : listItemOf(secret)',
    replace: 'listItemOf(secret)',
  },
  {
    file: LIST_ITEM,
    what: 'a revision that cannot be compared is left out of the newest one',
    find: 'if (first === undefined) return one;',
    replace: 'if (first === undefined) return other;',
  },
  {
    file: LISTS_VIEWS,
    what: 'the newest revision of a list is its last',
    find: "newerRevision(newest ?? '', item.resourceVersion)",
    replace: "newerRevision('1', item.resourceVersion)",
  },
  {
    file: LISTS_VIEWS,
    what: 'Secrets are listed in the order of the cluster',
    find: '  const items = await sortInSlices(unordered, byName);\n',
    replace: '  const items = unordered;\n',
  },
  {
    file: CODEC,
    what: 'whoever annotates a Secret as managed makes it one of the service',
    find: 'annotations.get(names.managedBy) === MANAGED_BY_SERVICE',
    replace: 'annotations.has(names.managedBy)',
  },
  {
    file: VIEW,
    what: 'the date of a pending deletion is shown as undefined',
    find: '...(secret.deletionTimestamp !== undefined && { deletionTimestamp: secret.deletionTimestamp }),',
    replace: "deletionTimestamp: secret.deletionTimestamp ?? '',",
  },
];
