import { describe, expect, it } from 'vitest';
import { hasLostAccess } from '../../../../src/secrets/memory/lost-access.ts';
import { itemOf } from './items.ts';

const NAMES = ['a', 'b', 'b-1', 'c', 'd'];
const OPEN = NAMES.map((name) => itemOf(name));
const isVisible = ({ rules }: { rules: { allowedGroups: readonly string[] } }) =>
  rules.allowedGroups.length === 0;
const closed = (name: string) => itemOf(name, { rules: { allowedGroups: ['other'], allowedUsers: [] } });
const withClosed = (name: string) => OPEN.map((item) => (item.name === name ? closed(name) : item));

describe('access to what an earlier state shows', () => {
  it.each(NAMES)('is lost with access to any of its Secrets, here %j', (name) => {
    expect(hasLostAccess(OPEN, withClosed(name), isVisible)).toBe(true);
  });

  it('is not lost with access to a Secret that it does not show', () => {
    expect(hasLostAccess(OPEN.slice(0, 2), withClosed('b-1'), isVisible)).toBe(false);
  });

  it('is not lost where nothing changed, a Secret was changed and remains visible, or it no longer exists', () => {
    expect(hasLostAccess(OPEN, OPEN, isVisible)).toBe(false);
    expect(
      hasLostAccess(
        OPEN,
        NAMES.map((name) => itemOf(name)),
        isVisible,
      ),
    ).toBe(false);
    expect(hasLostAccess(OPEN, OPEN.slice(1, 4), isVisible)).toBe(false);
    expect(hasLostAccess(OPEN, [], isVisible)).toBe(false);
  });
});
