import type { AccessRules } from '../contract/access-rules.ts';
import type { StoredSecret } from '../kube/secret.ts';
import { parseRevision } from '../kube/resource-version.ts';
import { summaryOf, type SecretSummary } from './secret-view.ts';

/** What a list needs of a live Secret: never a value, and nothing of the cluster's own object. */
export interface ListItem {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  /** The summary as JSON, ready for a response. */
  readonly json: string;
  readonly rules: AccessRules;
  readonly managed: boolean;
  /** When the certificate of a TLS Secret expires, in seconds since 1970. */
  readonly notAfter: number | undefined;
}

/** A list item that can be searched and sorted, without a text of its own for that. */
export interface SearchableItem extends ListItem {
  readonly type: string;
  /**
   * Whether the name, a key name or the description contains the word, ignoring case.
   * @param word as `searchText`, without white space
   */
  hasWord(word: string): boolean;
  /** When it was last changed, as far as its summary says, in milliseconds since 1970; 0 if it does not. */
  changedMs(): number;
}

/** The same with the summary itself. */
export interface SummarizedSecret extends Omit<ListItem, 'json'> {
  readonly summary: SecretSummary;
}

/** Of a live Secret. */
export function listItemOf(secret: StoredSecret): ListItem {
  const { summary, ...item } = summarize(secret);
  return { ...item, json: JSON.stringify(summary) };
}

/** Of a live Secret. */
export function summarize(secret: StoredSecret): SummarizedSecret {
  const summary = summaryOf(secret);
  const { namespace, name, uid, resourceVersion } = secret;
  const { allowedGroups, allowedUsers, managedByService: managed, certificateNotAfter } = summary;
  const rules = sharedRules({ allowedGroups, allowedUsers });
  const notAfter = certificateNotAfter === undefined ? undefined : Date.parse(certificateNotAfter) / 1_000;
  return { namespace, name, uid, resourceVersion, summary, rules, managed, notAfter };
}

const NO_RULES: AccessRules = { allowedGroups: [], allowedUsers: [] };

/** Most Secrets have no rules of their own. They share one object. */
function sharedRules(rules: AccessRules): AccessRules {
  return rules.allowedGroups.length === 0 && rules.allowedUsers.length === 0 ? NO_RULES : rules;
}

/** Order by name, by code unit, which is the same in every environment. */
export function byName(one: ListItem, other: ListItem): number {
  return one.name < other.name ? -1 : 1;
}

/**
 * The newest revision among the items; undefined when there are none. If one of them is not a decimal number their
 * order is undefined, and that one is returned: it cannot be compared with anything either.
 */
export function newestRevision(items: readonly ListItem[]): string | undefined {
  return newestItem(items)?.resourceVersion;
}

/** The item with the {@link newestRevision}. */
export function newestItem<Item extends Pick<ListItem, 'resourceVersion'>>(
  items: readonly Item[],
): Item | undefined {
  let newest = items[0];
  let revision = newest?.resourceVersion ?? '';
  for (const item of items) {
    const { resourceVersion } = item;
    if (newerRevision(revision, resourceVersion) === revision) continue;
    newest = item;
    revision = resourceVersion;
  }
  return newest;
}

/** As Kubernetes writes them: of two, the longer one is the greater. */
const PLAIN_REVISION = /^[1-9][0-9]{0,39}$/;

/** The newer of two revisions; one that is not a decimal number, if one of them is not. */
function newerRevision(one: string, other: string): string {
  if (PLAIN_REVISION.test(one) && PLAIN_REVISION.test(other)) {
    const isNewer = other.length === one.length ? other > one : other.length > one.length;
    return isNewer ? other : one;
  }
  const [first, second] = [parseRevision(one), parseRevision(other)];
  if (first === undefined) return one;
  return second === undefined || second > first ? other : one;
}
