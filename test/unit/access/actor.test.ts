import { describe, expect, it } from 'vitest';
import { levelIn } from '../../../src/contract/access-rules.ts';
import { actorFor, type Admins } from '../../../src/access/actor.ts';
import { emailKey } from '../../../src/contract/email.ts';
import { isIdentity } from '../../../src/contract/email.ts';
import { user } from './users.ts';

const NO_ONE: Admins = { users: [], groups: [] };

describe('emails are compared ignoring case, whatever the locale', () => {
  it.each([
    ['Dev@Example.COM', 'dev@example.com'],
    ['INFO@example.com', 'info@example.com'],
    ['ÄRGER@example.com', 'ärger@example.com'],
    ['ΣΊΣΥΦΟΣ@example.com', 'σίσυφοσ@example.com'],
    ['\u212aate@EXAMPLE.com', '\u212aate@example.com'],
    ['\u0130nfo@EXAMPLE.com', '\u0130nfo@example.com'],
    ['dev@example.com', 'dev@example.com'],
  ])('%s is kept as %s', (email, key) => {
    expect(emailKey(email)).toBe(key);
  });

  it('a Turkish dotless i is another letter than i', () => {
    expect(emailKey('ınfo@example.com')).not.toBe(emailKey('INFO@example.com'));
    expect(emailKey('INFO@example.com')).toBe('info@example.com');
  });

  it('a Turkish dotted capital I is another letter than I', () => {
    expect(emailKey('İnfo@example.com')).not.toBe(emailKey('Info@example.com'));
  });

  it('no character outside ASCII becomes one inside, and those that would are the two that Unicode has', () => {
    const entering: string[] = [];
    for (let point = 0x80; point <= 0x10_ffff; point++) {
      const character = String.fromCodePoint(point);
      if (/[\0-\x7f]/.test(emailKey(character))) throw new Error(`U+${point.toString(16)} becomes ASCII`);
      if (!isIdentity(character) && /^\p{L}$/u.test(character)) entering.push(character);
    }
    expect(entering).toEqual(['\u0130', '\u212a']);
  });

  it('a letter is lowercased the same whatever its neighbours are', () => {
    expect(emailKey('ΟΔΟΣ')).toBe('οδοσ');
    expect(emailKey('ΟΔΟΣ')).not.toBe(emailKey('οδος'));
  });

  it('a composed and a decomposed letter are two emails', () => {
    expect(emailKey('\u00e9@example.com')).not.toBe(emailKey('e\u0301@example.com'));
  });

  it('whitespace is part of an email', () => {
    expect(emailKey(' a@example.com')).toBe(' a@example.com');
  });

  it('comparing twice changes nothing', () => {
    for (const email of ['İ@x', 'ẞ@x', 'Dev@X', 'ǅ@x'])
      expect(emailKey(emailKey(email))).toBe(emailKey(email));
  });
});

describe('an actor is an admin', () => {
  it('by email, ignoring case on both sides', () => {
    const admins = { users: ['Boss@Example.com'], groups: [] };
    expect(actorFor(user({ email: 'BOSS@example.COM' }), admins).admin).toBe(true);
    expect(actorFor(user({ email: 'boss@example.org' }), admins).admin).toBe(false);
  });

  it('never by an entry that only lowercasing would make the email', () => {
    const entries = ['\u212aate@example.com', 'kate@example.com\u200b', ' kate@example.com'];
    const kate = user({ email: 'kate@example.com', groups: [] });
    expect(actorFor(kate, { users: entries, groups: [] }).admin).toBe(false);
    expect(levelIn(kate, { allowedUsers: entries, allowedGroups: [] })).toBe('none');
  });

  it('by group, exactly', () => {
    const admins = { users: [], groups: ['platform-admins'] };
    expect(actorFor(user({ groups: ['x', 'platform-admins'] }), admins).admin).toBe(true);
    expect(actorFor(user({ groups: ['Platform-Admins'] }), admins).admin).toBe(false);
    expect(actorFor(user({ groups: [' platform-admins'] }), admins).admin).toBe(false);
  });

  it('by a group with a comma in it', () => {
    const admins = { users: [], groups: ['cn=admins,dc=example'] };
    expect(actorFor(user({ groups: ['cn=admins,dc=example'] }), admins).admin).toBe(true);
    expect(actorFor(user({ groups: ['cn=admins', 'dc=example'] }), admins).admin).toBe(false);
  });

  it('never by sub, by name, or by an email among the admin groups', () => {
    const admins = { users: ['someone'], groups: ['dev@example.com'] };
    expect(actorFor(user({ sub: 'someone', name: 'someone' }), admins).admin).toBe(false);
  });

  it('never when no admins are configured', () => {
    expect(actorFor(user({ groups: [] }), NO_ONE).admin).toBe(false);
    expect(actorFor(user({ groups: ['', 'undefined'] }), NO_ONE).admin).toBe(false);
  });

  it('and keeps the user as the session spells it', () => {
    const someone = user({ email: 'Dev@Example.com' });
    expect(actorFor(someone, NO_ONE).user).toBe(someone);
  });
});
