import { hasRules, levelIn } from '../../../../src/contract/access-rules.ts';
import { emailKey } from '../../../../src/contract/email.ts';
import { searchText } from '../../../../src/contract/search-text.ts';
import { entriesOf } from '../../editing/rules.ts';
import type { SecretSummary, SessionUser } from '../../api/secrets-api.ts';
import { dueDatesOf, urgencyOf } from '../../values/expiry.ts';

/** Those that a list is sorted by. */
export const COLUMNS = ['name', 'type', 'keys', 'expires', 'changed'] as const;
export type Column = (typeof COLUMNS)[number];

/** The filters beside text and type: what each lets pass, as the address and the page have it. */
export const FILTERS = {
  expires: {
    all: 'Any expiry',
    expired: 'Expired',
    soon: 'Expires within 30 days',
    certificate: 'Has a certificate',
  },
  writer: {
    all: 'Any writer',
    controller: 'Written by a controller',
    service: 'Managed by this service',
    unmanaged: 'Not managed yet',
  },
  access: {
    all: 'Any access',
    mine: 'Names me or my groups',
    rules: 'Has rules of its own',
    namespace: 'By namespace',
    changed: 'Last changed by me',
  },
} as const;
type Filters = { readonly [Name in keyof typeof FILTERS]: keyof (typeof FILTERS)[Name] };
export const FILTER_NAMES = ['expires', 'writer', 'access'] as const;

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

/** When a Secret was last changed through the service, or else created. */
export function changedAt({ lastModifiedAt, creationTimestamp }: SecretSummary): string {
  return lastModifiedAt ?? creationTimestamp;
}

/** For whom and when the list is looked at. */
export interface Viewer {
  readonly me: SessionUser | undefined;
  readonly now: number;
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
      isOfExpiry(secret, view.expires, viewer.now) &&
      isOfWriter(secret, view.writer) &&
      isOfAccess(secret, view.access, viewer.me) &&
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

function isOfExpiry(secret: SecretSummary, wanted: View['expires'], now: number): boolean {
  if (wanted === 'all') return true;
  const [first] = dueDatesOf(secret);
  if (wanted === 'certificate') return dueDatesOf(secret).some(({ kind }) => kind === wanted);
  const urgency = urgencyOf(first, now);
  return wanted === 'soon' ? urgency !== undefined : urgency === 'expired';
}

function isOfWriter({ controlledBy, managedByService }: SecretSummary, wanted: View['writer']): boolean {
  switch (wanted) {
    case 'all':
      return true;
    case 'controller':
      return controlledBy !== undefined;
    case 'service':
      return managedByService;
    case 'unmanaged':
      return !managedByService;
  }
}

function isOfAccess(secret: SecretSummary, wanted: View['access'], me: SessionUser | undefined): boolean {
  switch (wanted) {
    case 'all':
      return true;
    case 'rules':
      return hasRules(secret);
    case 'namespace':
      return !hasRules(secret);
    case 'mine':
      return me !== undefined && levelIn(me, secret) !== 'none';
    case 'changed':
      return me !== undefined && secret.lastModifiedBy === emailKey(me.email);
  }
}

/** What each column is sorted by. */
const KEYS: Readonly<Record<Column, (secret: SecretSummary) => string | number>> = {
  name: ({ name }) => name,
  type: ({ type }) => type,
  keys: ({ keys }) => keys.length,
  // Those that never expire come after all others.
  expires: (secret) => dueDatesOf(secret)[0]?.at ?? Number.MAX_VALUE,
  changed: (secret) => Date.parse(changedAt(secret)),
};

function inOrder(secrets: readonly SecretSummary[], { sort, descending }: View): readonly SecretSummary[] {
  const keyed = secrets.map((secret) => ({ key: KEYS[sort](secret), secret }));
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
