import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../../hack/dev-cluster/api/status.ts';
import { decodeObject } from '../../../../hack/dev-cluster/kinds/decode.ts';
import { EVENT } from '../../../../hack/dev-cluster/kinds/event.ts';
import { type Kind } from '../../../../hack/dev-cluster/kinds/kind.ts';
import { LEASE } from '../../../../hack/dev-cluster/kinds/lease.ts';
import { SECRET } from '../../../../hack/dev-cluster/kinds/secret.ts';
import { type Json } from '../../../../hack/dev-cluster/json/json.ts';

const decoded = (kind: Kind, text: string) => decodeObject(kind, JSON.parse(text) as Json);

describe('decoding a body', () => {
  it('keeps keys that every JavaScript object has', () => {
    const { draft } = decoded(SECRET, '{"data":{"__proto__":"YQ==","constructor":"Yg=="}}');
    expect(JSON.stringify(draft['data'])).toBe('{"__proto__":"YQ==","constructor":"Yg=="}');
  });

  it('drops unknown fields and names them', () => {
    const { draft, unknown } = decoded(SECRET, '{"metadata":{"name":"a","x":1},"__proto__":{},"y":2}');
    expect(unknown).toEqual(['__proto__', 'y', 'metadata.x']);
    expect(Object.keys(draft)).toEqual(['metadata']);
  });

  it('takes null for the zero value, and leaves zero values out', () => {
    const { draft } = decoded(
      SECRET,
      '{"metadata":{"name":"a","labels":{}},"data":null,"immutable":null,"type":""}',
    );
    expect(draft).toEqual({ metadata: { name: 'a', uid: '', resourceVersion: '', creationTimestamp: '' } });
  });

  it('keeps the false of an optional flag', () => {
    expect(decoded(SECRET, '{"immutable":false}').draft['immutable']).toBe(false);
  });

  it.each([
    ['aGk=\\n', 'aGk='],
    ['aG k=', undefined],
    ['aGk', undefined],
    ['aGl=', 'aGk='],
    ['====', undefined],
    ['', ''],
  ])('reads the base64 %j as %j', (given, expected) => {
    const read = () => decoded(SECRET, `{"data":{"k":"${given}"}}`).draft['data'];
    if (expected === undefined) expect(read).toThrow(ApiError);
    else expect(read()).toEqual({ k: expected });
  });

  it.each([
    [SECRET, '[]'],
    [SECRET, '{"metadata":[]}'],
    [SECRET, '{"type":1}'],
    [SECRET, '{"data":{"k":{}}}'],
    [SECRET, '{"metadata":{"labels":{"a":1}}}'],
    [SECRET, '{"apiVersion":"v2"}'],
    [SECRET, '{"kind":"ConfigMap"}'],
    [LEASE, '{"spec":{"leaseDurationSeconds":"1"}}'],
    [EVENT, '{"firstTimestamp":"yesterday"}'],
  ] as const)('refuses what has the wrong type: $1.kind %s', (kind, text) => {
    expect(() => decoded(kind, text)).toThrow(ApiError);
  });

  it('writes times in whole seconds of UTC', () => {
    expect(decoded(EVENT, '{"firstTimestamp":"2026-01-01T02:00:00.5+02:00"}').draft['firstTimestamp']).toBe(
      '2026-01-01T00:00:00Z',
    );
  });
});
