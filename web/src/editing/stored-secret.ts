import { isNotFound } from '../api/http-client.ts';
import { readsOf, type RevisionApi } from '../api/revision-reads.ts';
import type { DescribedSecret, SecretsApi } from '../api/secrets-api.ts';
import { sameBytes } from '../../../src/contract/der.ts';
import { bytesOf } from '../../../src/contract/text.ts';
import { NewerVersionError } from '../api/unread-value.ts';
import { isStored, type FormValues, type StoredValue, type Value } from '../values/value.ts';
import { changedKeys } from './changes.ts';
import { valuesOf, type Row } from './draft.ts';

/** A Secret as a form begins with it. */
export type StoredSecret = DescribedSecret & { readonly values: FormValues };

type Reader = Pick<SecretsApi, 'versions'>;

/** The values stay in the cluster. Once someone has saved a newer version, they are read from the history. */
export function storedSecret(api: RevisionApi, secret: DescribedSecret): StoredSecret {
  const { version, resourceVersion } = secret;
  const live = readsOf(api, secret, { resourceVersion });
  const archived = readsOf(api, secret, { resourceVersion, version });
  // A newer version may not have the key.
  const orElse =
    <Read>(read: () => Promise<Read>) =>
    (error: unknown) => {
      if (error instanceof NewerVersionError || isNotFound(error)) return read();
      throw error;
    };
  const readAll = () => live.readAll().catch(orElse(archived.readAll));
  const read = (key: string, signal: AbortSignal | undefined) =>
    live.readValue(key, signal).catch(orElse(() => archived.readValue(key, signal)));
  const values = secret.keys.map((key): readonly [string, StoredValue] => {
    const isBinary = secret.binaryKeys.includes(key);
    return [
      key,
      { id: `${resourceVersion}/${key}`, isBinary, key, readAll, read: (signal) => read(key, signal) },
    ];
  });
  return { ...secret, values: new Map(values) };
}

/** The Secret after a save: it has what was sent, and everything else stayed. */
export function savedSecret(base: StoredSecret, sent: FormValues, saved: StoredSecret): StoredSecret {
  return withKnown(saved, (key) => sent.get(key) ?? base.values.get(key));
}

/**
 * The newer version of someone else, with the values that are those of `base`. Where the history does not show which, as
 * after a change outside the service, a value that is about to be replaced is compared if it was read here, and counts as
 * changed otherwise.
 */
export async function theirSecret(
  api: Reader,
  base: StoredSecret,
  theirs: StoredSecret,
  rows: readonly Row[],
): Promise<StoredSecret> {
  const changed = await changedSince(api, base, theirs);
  const mine = new Set(changedKeys(base.values, valuesOf(rows)).map(({ key }) => key));
  const isSame = async (key: string): Promise<boolean> => {
    const [old, now] = [base.values.get(key), theirs.values.get(key)];
    if (old === undefined || now === undefined) return false;
    if (changed !== undefined) return !changed.has(key);
    if (!mine.has(key)) return true;
    const known = typeof old === 'string' ? old : rows.find(({ origin }) => origin === key)?.loaded?.text;
    if (known === undefined || !isStored(now)) return false;
    return now.read().then(
      (bytes) => sameBytes(bytes, bytesOf(known)),
      () => false,
    );
  };
  const same = new Set<string>();
  for (const key of base.values.keys()) if (await isSame(key)) same.add(key);
  return withKnown(theirs, (key) => (same.has(key) ? base.values.get(key) : undefined));
}

/** The keys that versions after `base` have changed; undefined where the history does not have all of them. */
async function changedSince(
  api: Reader,
  base: StoredSecret,
  { version }: StoredSecret,
): Promise<ReadonlySet<string> | undefined> {
  // What the history cannot say is found out otherwise.
  const list = await api.versions(base).catch(() => undefined);
  if (list?.version !== version) return undefined;
  const from = list.versions.findIndex(({ resourceVersion }) => resourceVersion === base.resourceVersion);
  if (from === -1) return undefined;
  const all = [list.changes, ...list.versions.slice(0, from).map(({ changes }) => changes)];
  return new Set(
    all.flatMap((one) => [...(one?.added ?? []), ...(one?.changed ?? []), ...(one?.removed ?? [])]),
  );
}

function withKnown(secret: StoredSecret, known: (key: string) => Value | undefined): StoredSecret {
  const values = [...secret.values].map(([key, value]): readonly [string, Value] => {
    const other = known(key);
    if (isStored(other) && isStored(value)) return [key, { ...value, id: other.id }];
    return [key, other ?? value];
  });
  return { ...secret, values: new Map(values) };
}
