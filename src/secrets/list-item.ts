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
  let newest: string | undefined;
  let highest = -1n;
  for (const { resourceVersion } of items) {
    const revision = parseRevision(resourceVersion);
    if (revision === undefined) return resourceVersion;
    if (revision <= highest) continue;
    highest = revision;
    newest = resourceVersion;
  }
  return newest;
}
