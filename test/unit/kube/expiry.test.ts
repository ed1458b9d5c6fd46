import { describe, expect, it } from 'vitest';
import { AnnotationCodec } from '../../../src/kube/annotation-codec.ts';
import { declaredExpiry, valuesChangedAt } from '../../../src/kube/expiry.ts';

const codec = new AnnotationCodec('service.io');
const CREATED = '2026-01-01T00:00:00Z';
const CHANGED = '2026-02-01T00:00:00.000Z';
const EDIT = { description: undefined, version: 2, lastModifiedBy: 'a', lastModifiedAt: CHANGED };

const prefixed = (annotations: Readonly<Record<string, string>>) =>
  new Map(Object.entries(annotations).map(([name, text]) => [`service.io/${name}`, text]));
const secret = (annotations: Readonly<Record<string, string>>) => ({
  resourceVersion: '7',
  creationTimestamp: CREATED,
  managed: codec.parse({ labels: new Map(), annotations: prefixed(annotations) }),
});
const declared = (annotations: Readonly<Record<string, string>>) => declaredExpiry(secret(annotations));
const isMalformed = (annotations: Readonly<Record<string, string>>) =>
  secret(annotations).managed.expiry?.isMalformed;

describe('what is declared of the expiry of a Secret', () => {
  it('is nothing without its annotations', () => {
    expect(secret({ version: '1' }).managed.expiry).toBeUndefined();
    expect(declared({})).toEqual({});
  });

  it('is shown in UTC', () => {
    expect(declared({ 'expires-at': '2027-01-31T01:00:00+01:00' })).toEqual({
      expiresAt: '2027-01-31T00:00:00Z',
    });
  });

  it('leaves out what is malformed, and says so', () => {
    for (const annotations of [
      { 'expires-at': 'soon' },
      { 'rotate-every': '59m' },
      { 'rotate-every': '30d', 'values-changed-at': 'x' },
    ]) {
      expect(isMalformed(annotations)).toBe(true);
    }
    expect(declared({ 'expires-at': 'soon', 'rotate-every': '30d' })).toEqual({
      rotateEvery: '30d',
      rotationDueAt: '2026-01-31T00:00:00Z',
    });
    expect(declared({ 'expires-at': CHANGED, 'rotate-every': 'x' })).toEqual({
      expiresAt: '2026-02-01T00:00:00Z',
    });
    expect(isMalformed({ 'expires-at': '', 'rotate-every': '' })).toBe(false);
  });

  it('is due when the values last changed and the period together are', () => {
    const period = { 'rotate-every': '1h' };
    expect(declared(period).rotationDueAt).toBe('2026-01-01T01:00:00Z');
    expect(declared({ ...period, 'last-modified-at': CHANGED }).rotationDueAt).toBe('2026-02-01T01:00:00Z');
    const both = { ...period, 'last-modified-at': CHANGED, 'values-changed-at': '2026-01-02T00:00:00Z' };
    expect(declared(both).rotationDueAt).toBe('2026-01-02T01:00:00Z');
  });

  it('has no due time that cannot be written', () => {
    const last = { 'rotate-every': '3650d', 'values-changed-at': '9995-01-01T00:00:00Z' };
    expect(declared(last)).toEqual({ rotateEvery: '3650d' });
  });

  it('takes no time from an annotation that is none', () => {
    expect(valuesChangedAt(secret({ 'last-modified-at': 'no time' }))).toBe(Date.parse(CREATED));
    expect(valuesChangedAt({ ...secret({}), creationTimestamp: 'none' })).toBe(0);
  });
});

describe('a write', () => {
  const after = (stored: Readonly<Record<string, string>>, edit: object) =>
    Object.fromEntries(codec.edited(new Map(Object.entries(stored)), { ...EDIT, ...edit }));

  it('keeps what it leaves out, malformed texts, too, and removes what it empties', () => {
    const stored = { 'service.io/expires-at': 'soon', 'service.io/rotate-every': '30d' };
    expect(after(stored, {})).toMatchObject(stored);
    const emptied = after(stored, { expiresAt: '', rotateEvery: '' });
    expect(Object.keys(emptied).filter((name) => /expires|rotate/.test(name))).toEqual([]);
  });

  it('stores when the values changed from the first period of rotation on', () => {
    const valuesChangedAt = CHANGED;
    const name = 'service.io/values-changed-at';
    expect(after({}, { valuesChangedAt })).not.toHaveProperty([name]);
    expect(after({}, { valuesChangedAt, rotateEvery: '30d' })[name]).toBe(CHANGED);
    expect(after({ [name]: 'before' }, { valuesChangedAt, rotateEvery: '' })[name]).toBe(CHANGED);
  });

  it('of a final snapshot takes all of it over, and what undoes it removes it', () => {
    const annotations = new Map([
      ['service.io/expires-at', CHANGED],
      ['service.io/rotate-every', '30d'],
      ['service.io/values-changed-at', CREATED],
    ]);
    const { annotations: copied } = codec.final({ ...secret({}), annotations }, { by: 'a', at: CHANGED });
    for (const [name, text] of annotations) {
      expect(copied.get(name)).toBe(text);
      expect(codec.notFinal.annotations.has(name)).toBe(true);
    }
  });

  it('of a final snapshot stores when the values changed, where there is a period and only other dates say so', () => {
    const final = (annotations: Readonly<Record<string, string>>) =>
      codec
        .final({ ...secret(annotations), annotations: prefixed(annotations) }, { by: 'a', at: CHANGED })
        .annotations.get('service.io/values-changed-at');
    expect(final({})).toBeUndefined();
    expect(final({ 'rotate-every': '30d' })).toBe(CREATED);
    expect(final({ 'rotate-every': '30d', 'last-modified-at': CHANGED })).toBe('2026-02-01T00:00:00Z');
  });
});
