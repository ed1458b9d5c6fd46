import type { SecretSummary } from '../../api/secrets-api.ts';

/** Those that a list is sorted by. */
export const COLUMNS = ['name', 'type', 'keys', 'version', 'changed'] as const;
export const MANAGED = ['all', 'managed', 'unmanaged'] as const;
export type Column = (typeof COLUMNS)[number];
export type Managed = (typeof MANAGED)[number];

/** What of the list is shown, and in which order. */
export interface View {
  /** What a name, a key, a description or an access rule contains. */
  readonly text: string;
  readonly type: string;
  readonly managed: Managed;
  readonly sort: Column;
  readonly descending: boolean;
}

export const WHOLE_LIST: View = { text: '', type: '', managed: 'all', sort: 'name', descending: false };

/** When a Secret was last changed through the service, or else created. */
export function changedAt({ lastModifiedAt, creationTimestamp }: SecretSummary): string {
  return lastModifiedAt ?? creationTimestamp;
}

type Compare = (left: SecretSummary, right: SecretSummary) => number;

const byText = (pick: (secret: SecretSummary) => string): Compare => {
  return (left, right) => (pick(left) < pick(right) ? -1 : Number(pick(left) > pick(right)));
};

const ORDERS: Readonly<Record<Column, Compare>> = {
  name: byText(({ name }) => name),
  type: byText(({ type }) => type),
  keys: (left, right) => left.keyCount - right.keyCount,
  version: (left, right) => left.version - right.version,
  changed: (left, right) => Date.parse(changedAt(left)) - Date.parse(changedAt(right)),
};

/** Everything of a Secret that a filter looks at. */
function textsOf({ name, keys, description, allowedGroups, allowedUsers }: SecretSummary): readonly string[] {
  return [name, ...keys, description, ...allowedGroups, ...allowedUsers];
}

export function viewOf(secrets: readonly SecretSummary[], view: View): readonly SecretSummary[] {
  const text = view.text.trim().toLowerCase();
  const shown = secrets.filter(
    (secret) =>
      (view.type === '' || secret.type === view.type) &&
      (view.managed === 'all' || secret.managedByService === (view.managed === 'managed')) &&
      (text === '' || textsOf(secret).some((one) => one.toLowerCase().includes(text))),
  );
  const order = ORDERS[view.sort];
  return shown.sort((left, right) => (view.descending ? -1 : 1) * order(left, right));
}

export function typesOf(secrets: readonly SecretSummary[]): readonly string[] {
  return [...new Set(secrets.map(({ type }) => type))].sort();
}
