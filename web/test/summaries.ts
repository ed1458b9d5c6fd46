import type { SecretSummary } from '../src/api/secrets-api.ts';

/** A Secret as lists have it, for tests that look at some of its fields. */
export function summaryOf(name: string, more: Partial<SecretSummary> = {}): SecretSummary {
  return {
    namespace: 'team-a',
    name,
    type: 'Opaque',
    keys: ['token'],
    keyCount: 1,
    description: '',
    version: 1,
    resourceVersion: '1',
    creationTimestamp: '2026-01-01T00:00:00Z',
    allowedGroups: [],
    allowedUsers: [],
    managedByService: true,
    immutable: false,
    binaryKeys: [],
    ...more,
  };
}
