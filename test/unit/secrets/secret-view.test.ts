import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { binaryKeysOf, detailOf, splitValues, summaryOf } from '../../../src/secrets/secret-view.ts';
import { clusterWithLive } from '../history/live-secret.ts';

const BINARY = Uint8Array.of(0, 255);

describe('a summary', () => {
  it('shows what the contract names, and no values', () => {
    const { live } = clusterWithLive({
      type: 'custom',
      immutable: true,
      annotations: {
        'service.io/managed-by': 'service',
        'service.io/version': '3',
        'service.io/description': 'the database',
        'service.io/allowed-groups': ' a , b ',
        'service.io/allowed-users': 'U@x',
        'service.io/last-modified-by': 'dev@example.com',
        'service.io/last-modified-at': '2026-01-01T00:00:00.000Z',
      },
      data: { user: 'planted-4711', key: BINARY },
    });
    expect(summaryOf(live)).toEqual({
      namespace: 'team-a',
      name: 'db',
      type: 'custom',
      keys: ['user', 'key'],
      keyCount: 2,
      description: 'the database',
      version: 3,
      resourceVersion: live.resourceVersion,
      creationTimestamp: live.creationTimestamp,
      allowedGroups: ['a', 'b'],
      allowedUsers: ['U@x'],
      managedByService: true,
      immutable: true,
      binaryKeys: ['key'],
      lastModifiedBy: 'dev@example.com',
      lastModifiedAt: '2026-01-01T00:00:00.000Z',
    });
    expect(JSON.stringify(summaryOf(live))).not.toContain('planted-4711');
  });

  it('of a Secret that no one manages has defaults, and no optional fields', () => {
    const { live } = clusterWithLive({ annotations: {}, data: {} });
    const summary = summaryOf(live);
    expect(summary).toMatchObject({
      description: '',
      version: 1,
      allowedGroups: [],
      allowedUsers: [],
      managedByService: false,
      keys: [],
      keyCount: 0,
      binaryKeys: [],
    });
    const optional = [
      'deletionTimestamp',
      'lastModifiedBy',
      'lastModifiedAt',
      'certificateNotAfter',
      'valueExpiresAt',
      'controlledBy',
    ];
    for (const field of optional) {
      expect(Object.keys(summary)).not.toContain(field);
    }
  });

  it('shows the controller that will overwrite an edit', () => {
    const { live } = clusterWithLive({ annotations: { 'cert-manager.io/certificate-name': 'web' } });
    expect(summaryOf(live).controlledBy).toEqual({ kind: 'Certificate', name: 'web' });
  });

  it.each(['Service', 'service ', '', 'other'])('is not managed by %j', (marker) => {
    const { live } = clusterWithLive({ annotations: { 'service.io/managed-by': marker } });
    expect(summaryOf(live).managedByService).toBe(false);
  });

  it('shows a pending deletion', () => {
    const { live } = clusterWithLive();
    const pending = { ...live, deletionTimestamp: '2026-01-01T00:00:00Z' };
    expect(summaryOf(pending).deletionTimestamp).toBe('2026-01-01T00:00:00Z');
  });
});

describe('the split of a Secret into text and binary', () => {
  const key = fc.oneof(
    fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'),
    fc.stringMatching(/^[a-z]{1,8}$/),
  );
  const data = fc.array(fc.tuple(key, fc.uint8Array({ maxLength: 12 })), { maxLength: 8 });

  it('is total, disjoint and lossless', () => {
    fc.assert(
      fc.property(data, (entries) => {
        const values = new Map(entries);
        const { text, binary } = splitValues(values);
        expect(text.size + binary.size).toBe(values.size);
        for (const [name, value] of values) {
          expect(text.has(name)).not.toBe(binary.has(name));
          const back = binary.get(name) ?? Buffer.from(text.get(name) ?? '');
          expect(Buffer.compare(back, value)).toBe(0);
        }
        expect(binaryKeysOf(values)).toEqual([...binary.keys()]);
      }),
      { numRuns: 500 },
    );
  });

  it('is what a detail shows beside its summary', () => {
    const { live } = clusterWithLive({ data: { text: '', bytes: BINARY } });
    const { summary, values } = detailOf(live, new Date(0));
    expect(summary).toEqual(summaryOf(live));
    expect(values.text).toEqual(new Map([['text', '']]));
    expect(values.binary).toEqual(new Map([['bytes', BINARY]]));
  });
});
