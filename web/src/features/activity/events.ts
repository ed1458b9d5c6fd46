import { ApiError } from '../../api/http-client.ts';
import { changedMs } from '../../api/list-reader.ts';
import type { KeyChanges } from '../../api/schema.ts';
import type { DeletedSecret, SecretSummary, VersionList } from '../../api/secrets-api.ts';
import { deletedPath, historyPath } from '../../paths.ts';
import { versionsOf } from '../history/states.ts';

/** A Secret that changed, with its versions, or why they could not be read. */
export interface SecretHistory {
  readonly secret: SecretSummary;
  readonly list?: VersionList;
  readonly error?: unknown;
}

/** What happened to a Secret. */
export interface ActivityEvent {
  readonly id: string;
  readonly kind: 'created' | 'created again' | 'changed' | 'deleted';
  readonly name: string;
  /** RFC 3339. */
  readonly at: string;
  readonly by: string | undefined;
  readonly changes?: KeyChanges | undefined;
  /** Said where the keys are not known. */
  readonly otherwise?: string;
  readonly note?: string | undefined;
  /** Where it is shown in detail. */
  readonly to: string;
}

export interface ActivitySources {
  /** Those of the Secrets that changed last. */
  readonly histories: readonly SecretHistory[];
  /** Whether Secrets that changed before these are not loaded yet. */
  readonly hasMore: boolean;
  readonly namespace: string;
  readonly deleted: readonly DeletedSecret[];
  /** Of the period, in milliseconds since 1970. */
  readonly since: number;
}

/**
 * What happened in a namespace, the last event first. As long as there is more to load, only what is not older than the
 * change of the last Secret that is loaded: whatever comes is older, and goes below.
 */
export function eventsOf(sources: ActivitySources): readonly ActivityEvent[] {
  const { histories, hasMore, namespace, deleted, since } = sources;
  const last = histories.at(-1);
  const from = hasMore && last !== undefined ? Math.max(since, changedMs(last.secret)) : since;
  const events = [
    ...deleted.map((one) => deletionOf(namespace, one)),
    ...histories.flatMap((history) => eventsOfSecret(history, deleted)),
  ];
  return events
    .map((event) => ({ event, time: Date.parse(event.at) }))
    .filter(({ time }) => time >= from)
    .sort((one, other) => other.time - one.time)
    .map(({ event }) => event);
}

/** Without a time, it has no place among the others. */
function deletionOf(namespace: string, deleted: DeletedSecret): ActivityEvent {
  const { name, uid, keys, deletedAt = '', deletedBy, uncertain = false } = deleted;
  return {
    ...{ id: uid, kind: 'deleted', name, at: deletedAt, by: uncertain ? undefined : deletedBy },
    changes: { added: [], changed: [], removed: keys },
    note: uncertain ? 'Someone else may have deleted it, with other values.' : undefined,
    to: `${deletedPath(namespace)}?${new URLSearchParams({ q: name }).toString()}`,
  };
}

function eventsOfSecret(
  { secret, list, error }: SecretHistory,
  deleted: readonly DeletedSecret[],
): readonly ActivityEvent[] {
  const { name, version, creationTimestamp } = secret;
  const id = ({ state }: { readonly state: number | string }) => `${name} ${state}`;
  const creationOf = (at: string) => {
    const isAgain = deleted.some(
      (one) => one.name === name && Date.parse(one.deletedAt ?? '') <= Date.parse(at),
    );
    return isAgain ? 'created again' : 'created';
  };
  if (list === undefined) {
    const at = new Date(changedMs(secret)).toISOString();
    const kind = version === 1 ? creationOf(at) : 'changed';
    const live = { id: id({ state: 'live' }), kind, name, at, by: secret.lastModifiedBy } as const;
    return [{ ...live, otherwise: whyUnread(error), to: historyPath(secret) }];
  }
  const all = versionsOf(list, list.version === version ? secret : undefined);
  return all.map((one, index) => {
    const older = all[index + 1];
    const isFirst = older === undefined && one.version === 1;
    // A version is made when the one before it is archived. Of the oldest, that it was archived is all that is known.
    const otherTime =
      older?.createdAt ?? (isFirst ? creationTimestamp : (one.createdAt ?? creationTimestamp));
    const at = one.lastModifiedAt ?? otherTime;
    const keys = one.keys ?? secret.keys;
    return {
      ...{ id: id(one), kind: isFirst ? creationOf(at) : 'changed', name, at, by: one.lastModifiedBy },
      changes: isFirst ? { added: keys, changed: [], removed: [] } : one.changes,
      otherwise: 'older versions are not kept',
      note: one.changeNote,
      to: `${historyPath(secret)}?${new URLSearchParams({ view: String(one.state) }).toString()}`,
    };
  });
}

function whyUnread(error: unknown): string {
  const status = error instanceof ApiError ? error.status : undefined;
  if (status === 403) return "You don't have access to its history.";
  if (status === 404) return 'It no longer exists.';
  return `Couldn't read its history${error instanceof ApiError ? `: ${error.message}` : ''}.`;
}

/** Narrowed down to a person, and to a text in the name or a changed key. */
export function filtered(
  events: readonly ActivityEvent[],
  { person, text }: { readonly person: string; readonly text: string },
): readonly ActivityEvent[] {
  const wanted = text.trim().toLowerCase();
  return events.filter(({ name, by, changes }) => {
    const keys = changes === undefined ? [] : [...changes.added, ...changes.changed, ...changes.removed];
    return (
      (person === '' || by === person) && [name, ...keys].some((one) => one.toLowerCase().includes(wanted))
    );
  });
}
