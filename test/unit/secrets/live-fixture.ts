import type { SecretSeed } from '../../fakes/fake-objects.ts';
import { seedLive } from '../history/live-secret.ts';
import { createFixture } from './fixture.ts';

/** A fixture on which the Secret is live, with the values `a` and `b` unless they are given. */
export function withLive(
  overrides: Partial<SecretSeed> = {},
  options: Parameters<typeof createFixture>[0] = {},
) {
  const fixture = createFixture(options);
  return { ...fixture, seeded: seedLive(fixture.cluster, { data: { a: '1', b: '2' }, ...overrides }) };
}

/** The values as text, to be compared. */
export const text = (data: ReadonlyMap<string, Uint8Array>) =>
  Object.fromEntries([...data].map(([key, value]) => [key, Buffer.from(value).toString()]));
