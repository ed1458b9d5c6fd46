import { describe, expect, it } from 'vitest';
import { deleteJson, detailJson } from '../../../../src/api/routes/secret-record.ts';
import { detailOf } from '../../../../src/secrets/secret-view.ts';
import { clusterWithLive } from '../../history/live-secret.ts';

const NOW = new Date(0);

/** What a client reads: serialized and parsed again. */
const read = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('a Secret in detail', () => {
  it('has its summary, its text, and its binary values as the original base64', () => {
    const bytes = Uint8Array.of(0, 255, 254, 62, 63);
    const { live } = clusterWithLive({ data: { text: 'é', bytes, empty: '' } });
    const detail = detailOf(live, NOW);
    expect(read(detailJson(detail))).toEqual({
      ...detail.summary,
      data: { text: 'é', empty: '' },
      binaryData: { bytes: 'AP/+Pj8=' },
    });
  });

  it('has both maps, though they are empty', () => {
    const { live } = clusterWithLive({ data: {} });
    expect(read(detailJson(detailOf(live, NOW)))).toMatchObject({ data: {}, binaryData: {} });
  });

  it('keeps keys that are properties of every object, in both maps', () => {
    const keys = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];
    for (const value of [Buffer.from('text'), Uint8Array.of(255)]) {
      const { live } = clusterWithLive({ data: new Map(keys.map((key) => [key, value])) });
      const text = JSON.stringify(detailJson(detailOf(live, NOW)));
      for (const key of keys) expect(text.split(JSON.stringify(key)).length - 1).toBeGreaterThanOrEqual(2);
      expect(text).toMatch(/"__proto__":"(text|\/w==)"/);
    }
  });

  it('encodes a value that is a part of a larger buffer', () => {
    const whole = Buffer.from([1, 2, 255, 4]);
    const { live } = clusterWithLive();
    const part = { ...live, data: new Map([['a', whole.subarray(2, 3)]]) };
    expect(read(detailJson(detailOf(part, NOW)))).toMatchObject({ binaryData: { a: '/w==' } });
  });
});

describe('an archived version', () => {
  it('has its fields and its values', () => {
    const summary = {
      version: 1,
      resourceVersion: '7',
      createdAt: '2026-01-01T00:00:00Z',
      type: 'Opaque',
      keys: ['a'],
      keyCount: 1,
      binaryKeys: [],
    };
    const values = { text: new Map([['a', 'x']]), binary: new Map<string, Uint8Array>() };
    expect(read(detailJson({ summary, values }))).toEqual({ ...summary, data: { a: 'x' }, binaryData: {} });
  });
});

describe('a deletion', () => {
  it('that is done names what was deleted', () => {
    const result = { status: 'deleted', name: 'db', uid: 'u', history: 'cleaned' } as const;
    expect(read(deleteJson(result))).toEqual({ ...result, deleted: 'db' });
  });

  it('that is pending has no deleted field, and its timestamp when there is one', () => {
    const result = {
      status: 'pending',
      name: 'db',
      uid: 'u',
      resourceVersion: '8',
      deletionTimestamp: '2026-01-01T00:00:00Z',
      history: 'retained',
    } as const;
    expect(read(deleteJson(result))).toEqual(result);
    expect(read(deleteJson({ ...result, deletionTimestamp: undefined }))).toEqual({
      status: 'pending',
      name: 'db',
      uid: 'u',
      resourceVersion: '8',
      history: 'retained',
    });
  });
});
