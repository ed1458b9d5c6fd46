import { describe, expect, it } from 'vitest';
import { isValidKey } from '../../../src/contract/keys.ts';
import { isSecretName } from '../../../src/contract/names.ts';
import { recordedCreations } from './recordings.ts';

const creations = recordedCreations('02-keys-and-names').filter(({ status }) => [201, 422].includes(status));

describe('keys agree with a real cluster', () => {
  const keyed = creations.filter(({ id, data }) => /^(key|keys) /.test(id) && data !== undefined);

  it('over all recorded keys', () => {
    expect(keyed.length).toBeGreaterThan(12);
    expect(keyed.some(({ data }) => data?.has('__proto__'))).toBe(true);
  });

  it.each(keyed)('$id: $status', ({ data, status }) => {
    expect([...(data?.keys() ?? [])].every(isValidKey)).toBe(status === 201);
  });
});

describe('names agree with a real cluster', () => {
  const named = creations.filter(({ id, name }) => id.startsWith('name ') && name !== undefined);

  it('over all recorded names', () => {
    expect(named.length).toBeGreaterThan(10);
  });

  it.each(named)('$id: $status', ({ name, status }) => {
    expect(isSecretName(name ?? '')).toBe(status === 201);
  });
});
