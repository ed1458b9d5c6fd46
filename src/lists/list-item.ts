import {
  hasAnyList,
  keyedRules,
  RULE_LISTS,
  type AccessRules,
  type KeyedRules,
} from '../contract/access-rules.ts';
import { searchText } from '../contract/search-text.ts';
import { shortDescription } from '../contract/text.ts';
import type { ObjectIdentity, StoredSecret } from '../kube/secret.ts';
import { parseRevision } from '../kube/resource-version.ts';
import { summaryOf } from '../secrets/secret-view.ts';

/** What says when a Secret needs attention: the certificate of a TLS Secret, another value, a declared date, a period of rotation. */
export const EXPIRY_KINDS = ['certificate', 'value', 'declared', 'rotation'] as const;
export type ExpiryKind = (typeof EXPIRY_KINDS)[number];

/** When a Secret needs attention, in seconds since 1970. */
export interface Expiries extends Partial<Readonly<Record<ExpiryKind, number | undefined>>> {
  /** What is declared cannot be read. */
  readonly isMalformed?: true | undefined;
}

/** What a list needs of a live Secret: never a value, and nothing of the cluster's own object. */
export interface ListItem extends ObjectIdentity {
  readonly type: string;
  /** The summary as JSON, ready for a response. */
  readonly json: string;
  /** Name, key names and description, one on each line, as {@link searchText}. */
  readonly text: string;
  readonly rules: KeyedRules;
  readonly managed: boolean;
  /** When it was last changed, as far as its summary says, in milliseconds since 1970; 0 if it does not. */
  readonly changedMs: number;
  /** Undefined on Secrets that nothing says it of. */
  readonly expiries: Expiries | undefined;
  /** As JSON with its values, for the budget of a list. Unknown for an item of a live list, which has its own budget. */
  readonly bytes?: number;
}

const NO_RULES = keyedRules({ allowedGroups: [], allowedUsers: [] });

/** Of a live Secret. */
export function listItemOf(secret: StoredSecret): ListItem {
  const whole = summaryOf(secret);
  const summary = { ...whole, description: shortDescription(whole.description) };
  const { namespace, name, uid, resourceVersion, type } = secret;
  const { lastModifiedAt = '', creationTimestamp } = summary;
  return {
    namespace,
    name,
    uid,
    resourceVersion,
    type,
    json: JSON.stringify(summary),
    text: searchText([name, ...summary.keys, summary.description].join('\n')),
    rules: rulesFor(summary),
    managed: summary.managedByService,
    changedMs: timeOf(lastModifiedAt) ?? timeOf(creationTimestamp) ?? 0,
    expiries: expiriesOf(secret, summary),
  };
}

function expiriesOf(
  { managed }: StoredSecret,
  { certificateNotAfter, valueExpiresAt, expiresAt, rotationDueAt }: ReturnType<typeof summaryOf>,
): Expiries | undefined {
  const expiries: Required<Expiries> = {
    certificate: secondsOf(certificateNotAfter),
    value: secondsOf(valueExpiresAt),
    declared: secondsOf(expiresAt),
    rotation: secondsOf(rotationDueAt),
    isMalformed: managed.expiry?.isMalformed === true ? true : undefined,
  };
  return Object.values(expiries).some((one) => one !== undefined) ? expiries : undefined;
}

function secondsOf(time: string | undefined): number | undefined {
  return time === undefined ? undefined : Date.parse(time) / 1_000;
}

/** The first of them; undefined if there is none. */
export function soonestOf(
  { expiries }: Pick<ListItem, 'expiries'>,
  kinds: readonly ExpiryKind[] = EXPIRY_KINDS,
): number | undefined {
  let soonest: number | undefined;
  for (const kind of kinds) {
    const at = expiries?.[kind];
    if (at !== undefined && at < (soonest ?? Infinity)) soonest = at;
  }
  return soonest;
}

/** Copies, because parts of a text that was split keep the whole text in memory. Most Secrets share one object. */
function rulesFor(rules: AccessRules): KeyedRules {
  if (!hasAnyList(rules)) return NO_RULES;
  return JSON.parse(JSON.stringify(keyedRules(rules))) as KeyedRules;
}

function timeOf(text: string): number | undefined {
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

/** The object, its places in tables and views, and the headers of its texts. */
const ITEM_BYTES = 450;
const ENTRY_BYTES = 32;
const EXPIRIES_BYTES = 96;

/** What an item takes of the heap, nearly. */
export function heapBytesOf(item: ListItem): number {
  const { namespace, name, uid, resourceVersion, type, json, text, rules } = item;
  let bytes = ITEM_BYTES + (item.expiries === undefined ? 0 : EXPIRIES_BYTES);
  for (const one of [namespace, name, uid, resourceVersion, type, json, text]) bytes += textBytes(one);
  for (const list of RULE_LISTS) {
    for (const entry of rules[list] ?? []) bytes += ENTRY_BYTES + textBytes(entry);
  }
  return bytes;
}

/** One byte for each character, or two where one of them needs that; Latin letters count as if they did. */
const textBytes = (text: string) => (Buffer.byteLength(text) === text.length ? text.length : 2 * text.length);

/** Order by name, by code unit, which is the same in every environment. */
export const byName = (one: ListItem, other: ListItem): number => (one.name < other.name ? -1 : 1);

type Named = Pick<ListItem, 'namespace' | 'name'>;

/**
 * Collects any number of Secrets, and keeps the first ones: by their rank, then by name, then by namespace. A rank is
 * determined once.
 */
export function createFirstOf<Item extends Named>(rankOf: (item: Item) => number, limit: number) {
  let kept: { readonly item: Item; readonly rank: number }[] = [];
  let count = 0;
  const shorten = (): void => {
    kept = kept
      .sort((one, other) => one.rank - other.rank || byNameAndNamespace(one.item, other.item))
      .slice(0, limit);
  };
  return {
    add: (item: Item): void => {
      count++;
      kept.push({ item, rank: rankOf(item) });
      if (kept.length >= 2 * limit) shorten();
    },
    /** In their order. */
    first(): readonly Item[] {
      shorten();
      return kept.map(({ item }) => item);
    },
    /** How many were collected. */
    count: () => count,
  };
}

function byNameAndNamespace(one: Named, other: Named): number {
  return compare(one.name, other.name) || compare(one.namespace, other.namespace);
}

const compare = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1);

/** As Kubernetes writes them: of two, the longer one is the greater. */
const PLAIN_REVISION = /^[1-9][0-9]{0,39}$/;

/**
 * The newer of two revisions; one that is not a decimal number, if one of them is not: their order is undefined, and it
 * cannot be compared with anything either.
 */
export function newerRevision(one: string, other: string): string {
  if (PLAIN_REVISION.test(one) && PLAIN_REVISION.test(other)) {
    const isNewer = other.length === one.length ? other > one : other.length > one.length;
    return isNewer ? other : one;
  }
  const [first, second] = [parseRevision(one), parseRevision(other)];
  if (first === undefined) return one;
  return second === undefined || second > first ? other : one;
}
