import type { AccessRules } from '../access/access-rules.ts';
import type { AnnotationNames } from '../history/annotation-names.ts';
import type { StoredSecret } from '../history/ports.ts';
import { claimsToBeHistory } from '../history/snapshot.ts';
import { summaryOf } from './secret-view.ts';

/** What a list needs to know of a live Secret: never a value, and nothing of the native object. */
export interface ListItem {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  /** The summary as JSON, ready to be put into an answer. */
  readonly json: string;
  readonly rules: AccessRules;
  readonly managed: boolean;
}

/** Undefined for snapshots: the selector keeps them out at the cluster, what an object says of itself counts, too. */
export function listItemOf(secret: StoredSecret, names: AnnotationNames): ListItem | undefined {
  if (claimsToBeHistory(secret, names)) return undefined;
  const summary = summaryOf(secret, names);
  const { namespace, name, uid, resourceVersion } = secret;
  const { allowedGroups, allowedUsers, managedByService: managed } = summary;
  const rules = sharedRules({ allowedGroups, allowedUsers });
  return { namespace, name, uid, resourceVersion, json: JSON.stringify(summary), rules, managed };
}

const NO_RULES: AccessRules = { allowedGroups: [], allowedUsers: [] };

/** Most Secrets have no rules of their own; they share one object. */
function sharedRules(rules: AccessRules): AccessRules {
  return rules.allowedGroups.length === 0 && rules.allowedUsers.length === 0 ? NO_RULES : rules;
}

/** Order by name, by code unit: the same everywhere. */
export function byName(one: ListItem, other: ListItem): number {
  return one.name < other.name ? -1 : 1;
}

/** The answer of a list, in exactly the form that `JSON.stringify` would give the whole. */
export function listJson(namespace: string, items: readonly ListItem[], canCreate: boolean): string {
  const secrets = items.map(({ json }) => json).join(',');
  return `{"namespace":${JSON.stringify(namespace)},"secrets":[${secrets}],"canCreate":${canCreate}}`;
}
