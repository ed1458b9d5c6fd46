import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';

interface Entry {
  readonly payload: AdapterPayload;
  readonly expiresAt: number;
}

/** Beyond this many entries the oldest go: a development provider must not grow for ever. */
const MAX_ENTRIES = 5_000;

/** Keeps the provider's state in this process, one store per provider, gone when it stops. */
export function createMemoryAdapter(): AdapterFactory {
  const entries = new Map<string, Entry>();
  const live = (key: string): AdapterPayload | undefined => {
    const entry = entries.get(key);
    return entry !== undefined && entry.expiresAt > Date.now() ? entry.payload : undefined;
  };
  const findWhere = (model: string, matches: (payload: AdapterPayload) => boolean) =>
    [...entries.keys()]
      .filter((key) => key.startsWith(`${model}:`))
      .map(live)
      .find((payload) => payload !== undefined && matches(payload));
  const keep = (key: string, entry: Entry): void => {
    entries.delete(key); // so that the map's order is the order of the last writes
    entries.set(key, entry);
    const oldest = entries.keys().next();
    if (entries.size > MAX_ENTRIES && oldest.done !== true) entries.delete(oldest.value);
  };

  return (model): Adapter => ({
    upsert: (id, payload, expiresIn) => {
      const expiresAt = expiresIn === undefined ? Number.POSITIVE_INFINITY : Date.now() + expiresIn * 1_000;
      keep(`${model}:${id}`, { payload, expiresAt });
      return Promise.resolve();
    },
    find: (id) => Promise.resolve(live(`${model}:${id}`)),
    findByUid: (uid) => Promise.resolve(findWhere(model, (payload) => payload.uid === uid)),
    findByUserCode: (code) => Promise.resolve(findWhere(model, (payload) => payload.userCode === code)),
    consume: (id) => {
      const payload = live(`${model}:${id}`);
      if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1_000);
      return Promise.resolve();
    },
    destroy: (id) => {
      entries.delete(`${model}:${id}`);
      return Promise.resolve();
    },
    revokeByGrantId: (grantId) => {
      for (const [key, { payload }] of entries) if (payload.grantId === grantId) entries.delete(key);
      return Promise.resolve();
    },
  });
}
