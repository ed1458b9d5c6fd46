import { expect, it } from 'vitest';
import { createSharedValues } from '../../../src/caches/shared-values.ts';

const rules = (group: string) => ({ allowedGroups: [group], allowedUsers: [] });

it('equal rules are one object, others are others', () => {
  const shared = createSharedValues(10);
  const first = shared.rules(rules('team-a'));
  expect(shared.rules(rules('team-a'))).toBe(first);
  expect(shared.rules({ allowedGroups: [], allowedUsers: ['team-a'] })).not.toBe(first);
  expect(shared.rules(rules('team-b'))).toEqual(rules('team-b'));
});

it('beyond the bound a value stays as it is, and what is known stays known', () => {
  const shared = createSharedValues(1);
  const [first, second] = [shared.rules(rules('team-a')), rules('team-b')];
  expect(shared.rules(second)).toBe(second);
  expect(shared.rules(rules('team-b'))).not.toBe(second);
  expect(shared.rules(rules('team-a'))).toBe(first);
  expect(shared.text('ns')).toBe('ns');
});
