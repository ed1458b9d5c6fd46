import { describe, expect, it } from 'vitest';
import { annotationNames } from '../../../src/kube/annotation-names.ts';
import { stampedAnnotations } from '../../../src/secrets/managed-annotations.ts';
import { actor } from '../access/users.ts';

const names = annotationNames('service.io');
const NOTHING = { description: undefined, allowedGroups: undefined, allowedUsers: undefined };
const stamp = {
  actor: actor({ email: 'DEV@Example.COM' }),
  now: new Date('2026-03-04T05:06:07.089Z'),
  version: 7,
};

const STAMPS = {
  'service.io/managed-by': 'service',
  'service.io/version': '7',
  'service.io/last-modified-by': 'dev@example.com',
  'service.io/last-modified-at': '2026-03-04T05:06:07.089Z',
};

describe('the annotations after a write', () => {
  it('carry the marker, the counter, and who wrote when', () => {
    expect(Object.fromEntries(stampedAnnotations(new Map(), NOTHING, stamp, names))).toEqual(STAMPS);
  });

  it('keep everything else as stored, empty and odd values, too', () => {
    const stored = new Map([
      ['__proto__', 'kept'],
      ['example.com/foreign', ''],
      ['service.io/allowed-groups', ' a ,, b '],
      ['service.io/description', 'kept'],
      ['service.io/version', '6'],
    ]);
    const after = stampedAnnotations(stored, NOTHING, stamp, names);
    for (const key of [
      '__proto__',
      'example.com/foreign',
      'service.io/allowed-groups',
      'service.io/description',
    ]) {
      expect(after.get(key)).toBe(stored.get(key));
    }
    expect(after.get('service.io/version')).toBe('7');
    expect(stored.get('service.io/version')).toBe('6');
  });

  it('change what the edit names; empty lists become empty annotations', () => {
    const stored = new Map([['service.io/allowed-groups', 'a,b']]);
    const edit = { description: '', allowedGroups: [], allowedUsers: ['U@x', 'v@x'] };
    expect(Object.fromEntries(stampedAnnotations(stored, edit, stamp, names))).toEqual({
      ...STAMPS,
      'service.io/description': '',
      'service.io/allowed-groups': '',
      'service.io/allowed-users': 'U@x,v@x',
    });
  });
});
