import { hasRules, levelIn } from '../../../../src/contract/access-rules.ts';
import { emailKey } from '../../../../src/contract/email.ts';
import { searchText } from '../../../../src/contract/search-text.ts';
import { changedMs } from '../../api/list-reader.ts';
import { entriesOf } from '../../editing/rules.ts';
import type { SecretSummary, SessionUser } from '../../api/secrets-api.ts';
import { dueDatesOf, urgencyOf } from '../../values/expiry.ts';

/** For whom and when the list is looked at. */
export interface Viewer {
  readonly me: SessionUser | undefined;
  readonly now: number;
}

/** What a filter is called, and which Secrets it lets pass. */
type Choice = readonly [text: string, passes: (secret: SecretSummary, viewer: Viewer) => boolean];

/** The filters beside text and type, by the words of the address. */
export const FILTERS = {
  expires: {
    all: ['Any expiry', () => true],
    expired: ['Expired', (secret, { now }) => urgencyOf(dueDatesOf(secret)[0], now) === 'expired'],
    soon: [
      'Expires within 30 days',
      (secret, { now }) => urgencyOf(dueDatesOf(secret)[0], now) !== undefined,
    ],
    certificate: [
      'Has a certificate',
      (secret) => dueDatesOf(secret).some(({ kind }) => kind === 'certificate'),
    ],
  },
  writer: {
    all: ['Any writer', () => true],
    controller: ['Written by a controller', ({ controlledBy }) => controlledBy !== undefined],
    service: ['Managed by this service', ({ managedByService }) => managedByService],
    unmanaged: ['Not managed yet', ({ managedByService }) => !managedByService],
  },
  access: {
    all: ['Any access', () => true],
    mine: ['Names me or my groups', (secret, { me }) => me !== undefined && levelIn(me, secret) !== 'none'],
    rules: ['Has rules of its own', (secret) => hasRules(secret)],
    namespace: ['By namespace', (secret) => !hasRules(secret)],
    changed: [
      'Last changed by me',
      ({ lastModifiedBy }, { me }) => me !== undefined && lastModifiedBy === emailKey(me.email),
    ],
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Choice>>>>;
type Filters = { readonly [Name in keyof typeof FILTERS]: keyof (typeof FILTERS)[Name] };
export const FILTER_NAMES = ['expires', 'writer', 'access'] as const;

export const choicesOf = (filter: keyof typeof FILTERS): Readonly<Record<string, Choice>> => FILTERS[filter];

/** What a list is sorted by, and what both of its orders are called. */
export const SORTS = {
  name: { keyOf: ({ name }) => name, orders: ['Name, A to Z', 'Name, Z to A'] },
  type: { keyOf: ({ type }) => type, orders: ['Type, A to Z', 'Type, Z to A'] },
  keys: { keyOf: ({ keys }) => keys.length, orders: ['Fewest keys first', 'Most keys first'] },
  expires: {
    // Those that never expire come after all others.
    keyOf: (secret) => dueDatesOf(secret)[0]?.at ?? Number.MAX_VALUE,
    orders: ['Expires first', 'Expires last'],
  },
  changed: {
    keyOf: changedMs,
    orders: ['Oldest change first', 'Newest change first'],
  },
} as const satisfies Readonly<
  Record<string, { keyOf: (secret: SecretSummary) => string | number; orders: readonly [string, string] }>
>;
export type Column = keyof typeof SORTS;
export const COLUMNS = Object.keys(SORTS) as readonly Column[];

/** What of the list is shown, and in which order. */
export interface View extends Filters {
  /** What a name, a key, a description or an access rule contains. */
  readonly text: string;
  readonly type: string;
  readonly sort: Column;
  readonly descending: boolean;
}

export const WHOLE_LIST: View = {
  text: '',
  type: '',
  expires: 'all',
  writer: 'all',
  access: 'all',
  sort: 'name',
  descending: false,
};

/** How many filters beside the text narrow the list down. */
export function filterCount(view: View): number {
  return FILTER_NAMES.filter((name) => view[name] !== 'all').length + (view.type === '' ? 0 : 1);
}

/** The orders that pages of a list come in. */
export const PAGED_ORDERS = [
  { sort: 'name', descending: false },
  { sort: 'changed', descending: true },
] as const;

/** The view with an order that pages come in. */
export function pagedView(view: View): View {
  const order = PAGED_ORDERS.find(({ sort }) => sort === view.sort) ?? PAGED_ORDERS[0];
  return { ...view, ...order };
}

export function viewOf(
  secrets: readonly SecretSummary[],
  view: View,
  viewer: Viewer,
): readonly SecretSummary[] {
  const text = searchText(view.text.trim());
  const shown = secrets.filter(
    (secret) =>
      (view.type === '' || secret.type === view.type) &&
      FILTER_NAMES.every((name) => choicesOf(name)[view[name]]?.[1](secret, viewer) === true) &&
      (text === '' || textOf(secret).includes(text)),
  );
  return inOrder(shown, view);
}

const texts = new WeakMap<SecretSummary, string>();

/** Everything of a Secret that a filter looks at, made once: a long list is filtered at every key. */
function textOf(secret: SecretSummary): string {
  const known = texts.get(secret);
  if (known !== undefined) return known;
  const { name, keys, description } = secret;
  const text = searchText([name, ...keys, description, ...entriesOf(secret)].join('\n'));
  texts.set(secret, text);
  return text;
}

function inOrder(secrets: readonly SecretSummary[], { sort, descending }: View): readonly SecretSummary[] {
  const keyed = secrets.map((secret) => ({ key: SORTS[sort].keyOf(secret), secret }));
  const sign = descending ? -1 : 1;
  keyed.sort((left, right) => (left.key < right.key ? -sign : left.key > right.key ? sign : 0));
  return keyed.map(({ secret }) => secret);
}

/** @param chosen the one that is filtered by, whether or not a Secret has it */
export function typesOf(secrets: readonly SecretSummary[], chosen: string): readonly string[] {
  const types = new Set(secrets.map(({ type }) => type));
  if (chosen !== '') types.add(chosen);
  return [...types].sort();
}
