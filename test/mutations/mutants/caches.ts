import type { Mutant } from '../mutant.ts';

const GATE = 'src/caches/consistency-gate.ts';
const AUDIT = 'src/caches/cache-audit.ts';
const POLICIES = 'src/caches/policy-cache.ts';
const INDEX = 'src/caches/history-index.ts';

export const CACHES: readonly Mutant[] = [
  {
    file: GATE,
    what: 'an earlier note of a deletion replaces a later one',
    find: 'gone: stricter(this.#notes.get(name), gone)',
    replace: 'gone',
  },
  {
    file: GATE,
    what: 'a cache that is behind a write passes',
    find: "if (this.#required !== undefined && !hasReached(reached, this.#required)) return 'behind';",
    replace: '',
  },
  {
    file: GATE,
    what: 'the revision of a write that was observed earlier replaces a later one',
    find: 'else if (!hasReached(this.#required, revision)) this.#required = revision;',
    replace: 'else this.#required = revision;',
  },
  {
    file: GATE,
    what: 'an uncertain write leaves the cache trusted',
    find: "if (this.#uncertainUntilMs !== undefined) return 'uncertain';",
    replace: '',
  },
  {
    file: GATE,
    what: 'a list that was read earlier replaces a later one',
    find: '    if (isLater(known, revision)) return;\n',
    replace: '',
  },
  {
    file: AUDIT,
    what: 'an object that changes during the comparison counts as a difference',
    find: 'first.get(key) === state',
    replace: 'first.get(key) !== undefined || state !== undefined',
  },
  {
    file: AUDIT,
    what: 'an object that no longer exists in the cluster is no difference',
    find: "if (!live.has(cached.uid) && !found.has(textOfName(cached))) found.set(textOfName(cached), 'absent');",
    replace: '',
  },
  {
    file: POLICIES,
    what: 'a policy that was read live is not waited for',
    find: 'if (observed !== undefined && !this.#contains(namespace, observed)) return undefined;',
    replace: '',
  },
  {
    file: POLICIES,
    what: 'an earlier read of a policy replaces a later one',
    find: 'if (known !== undefined && since.sequence <= known.sequence) {',
    replace: 'if (known !== undefined && since.sequence < 0) {',
  },
  {
    file: INDEX,
    what: 'the history index does not wait for the revision of the live Secret',
    find: "return hasReached(parseRevision(revision), wanted) ? 'passed' : 'behind';",
    replace: "return hasReached(parseRevision(revision), wanted) || clock.now() >= 0 ? 'passed' : 'behind';",
  },
  {
    file: INDEX,
    what: 'the history index is used while everything is listed again',
    find: "if (!synced || isForbidden || revision === undefined) return 'notSynced';",
    replace:
      "if (isForbidden) return 'notSynced';\n    if (!synced || revision === undefined) return 'passed';",
  },
];
