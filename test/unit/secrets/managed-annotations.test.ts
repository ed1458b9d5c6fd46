import { describe, expect, it } from 'vitest';
import { codec } from '../../fakes/annotations.ts';
import { managedAnnotations } from '../../../src/secrets/write-back.ts';
import { actor } from '../access/users.ts';

const NOTHING = { description: undefined, allowedGroups: undefined, allowedUsers: undefined };
const modification = {
  actor: actor({ email: 'DEV@Example.COM' }),
  now: new Date('2026-03-04T05:06:07.089Z'),
  version: 7,
};

const MANAGED = {
  'service.io/managed-by': 'service',
  'service.io/version': '7',
  'service.io/last-modified-by': 'dev@example.com',
  'service.io/last-modified-at': '2026-03-04T05:06:07.089Z',
};

describe('the annotations after a write', () => {
  it('carry the marker, the counter, and who wrote when', () => {
    expect(Object.fromEntries(managedAnnotations(new Map(), NOTHING, modification, codec))).toEqual(MANAGED);
  });

  it('keep everything else as stored, empty and odd values, too', () => {
    const stored = new Map([
      ['__proto__', 'kept'],
      ['example.com/foreign', ''],
      ['service.io/allowed-groups', ' a ,, b '],
      ['service.io/description', 'kept'],
      ['service.io/version', '6'],
    ]);
    const after = managedAnnotations(stored, NOTHING, modification, codec);
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
    expect(Object.fromEntries(managedAnnotations(stored, edit, modification, codec))).toEqual({
      ...MANAGED,
      'service.io/description': '',
      'service.io/allowed-groups': '',
      'service.io/allowed-users': 'U@x,v@x',
    });
  });
});
