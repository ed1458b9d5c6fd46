import { describe, expect, it } from 'vitest';
import type { AccessRules } from '../../../src/access/access-rules.ts';
import { createListAnswers, liveAnswer, type Visibility } from '../../../src/secrets/list-answers.ts';
import type { ListItem } from '../../../src/secrets/list-item.ts';

const group = (name: string): AccessRules => ({ allowedGroups: [name], allowedUsers: [] });
const NONE: AccessRules = { allowedGroups: [], allowedUsers: [] };

function item(name: string, more: Partial<ListItem> = {}): ListItem {
  const json = JSON.stringify({ namespace: 'ns', name, description: 'ü"\u2028' });
  return {
    namespace: 'ns',
    name,
    uid: `u-${name}`,
    resourceVersion: '1',
    json,
    rules: NONE,
    managed: true,
    ...more,
  };
}

const seeing = (...groups: readonly string[]): Visibility => ({
  canCreate: true,
  managedOnly: false,
  isVisible: ({ allowedGroups }) =>
    allowedGroups.length === 0 || allowedGroups.some((one) => groups.includes(one)),
});

const ITEMS = [
  item('a'),
  item('b', { rules: group('x') }),
  item('c', { rules: group('y'), managed: false }),
  item('d', { rules: group('x') }),
];

const namesIn = (body: Buffer) =>
  (JSON.parse(body.toString()) as { secrets: { name: string }[] }).secrets.map(({ name }) => name);

describe('the answers of lists', () => {
  it('have what is visible, in order', () => {
    const answers = createListAnswers(10_000);
    expect(namesIn(answers.answer('ns', ITEMS, seeing()))).toEqual(['a']);
    expect(namesIn(answers.answer('ns', ITEMS, seeing('x')))).toEqual(['a', 'b', 'd']);
    expect(namesIn(answers.answer('ns', ITEMS, seeing('x', 'y')))).toEqual(['a', 'b', 'c', 'd']);
    expect(namesIn(answers.answer('ns', ITEMS, { ...seeing('x', 'y'), managedOnly: true }))).toEqual([
      'a',
      'b',
      'd',
    ]);
  });

  it('are what JSON.stringify makes of the whole, and what a live list answers', () => {
    const visible = seeing('x', 'y');
    const whole = {
      namespace: 'ns',
      secrets: ITEMS.map(({ json }) => JSON.parse(json) as unknown),
      canCreate: true,
    };
    const body = createListAnswers(10_000).answer('ns', ITEMS, visible);
    expect(body.toString()).toBe(JSON.stringify(whole));
    expect(liveAnswer('ns', ITEMS.toReversed(), visible).equals(body)).toBe(true);
  });

  it('are shared by all who see the same, and made anew for all others', () => {
    const answers = createListAnswers(10_000);
    const first = answers.answer('ns', ITEMS, seeing('x'));
    expect(answers.answer('ns', ITEMS, seeing('x', 'z'))).toBe(first);
    expect(answers.answer('ns', ITEMS, seeing('y'))).not.toBe(first);
    const barred = answers.answer('ns', ITEMS, { ...seeing('x'), canCreate: false });
    expect(barred.toString()).toContain('"canCreate":false');
    expect(answers.answer('ns', ITEMS, seeing('x'))).toBe(first);
  });

  it('ask about every set of rules once', () => {
    let asked = 0;
    createListAnswers(10_000).answer('ns', ITEMS, {
      ...seeing(),
      isVisible: () => {
        asked++;
        return true;
      },
    });
    expect(asked).toBe(3);
  });

  it('of another state replace those of the one before', () => {
    const answers = createListAnswers(10_000);
    answers.answer('ns', ITEMS, seeing('x'));
    const kept = answers.keptBytes();
    const next = [...ITEMS];
    const body = answers.answer('ns', next, seeing('x'));
    expect(answers.keptBytes()).toBe(kept);
    expect(answers.answer('ns', next, seeing('x'))).toBe(body);
  });

  it('of two namespaces with equal items are apart, and empty ones are not kept', () => {
    const answers = createListAnswers(10_000);
    const none: readonly ListItem[] = [];
    expect(answers.answer('one', none, seeing()).toString()).toContain('"one"');
    expect(answers.answer('two', none, seeing()).toString()).toContain('"two"');
    expect(answers.keptBytes()).toBe(0);
    expect(answers.answer('one', ITEMS, seeing()).toString()).toContain('"one"');
    expect(answers.answer('two', ITEMS, seeing()).toString()).toContain('"two"');
  });

  it('are kept within bounds; the namespace longest unused goes first', () => {
    const answers = createListAnswers(3_000);
    const states = Array.from({ length: 8 }, () => [...ITEMS]);
    const ask = (index: number) => answers.answer(`ns-${index}`, states[index] ?? [], seeing('x', 'y'));
    const first = ask(0);
    for (let index = 1; index < 8; index++) {
      expect(ask(0)).toBe(first);
      ask(index);
      expect(answers.keptBytes()).toBeLessThanOrEqual(3_000);
    }
    const last = ask(7);
    expect(ask(7)).toBe(last);
    const second = ask(1);
    expect(ask(1)).toBe(second);
  });

  it('larger than all that may be kept are answered all the same', () => {
    const answers = createListAnswers(600);
    expect(namesIn(answers.answer('ns', ITEMS, seeing('x', 'y')))).toHaveLength(4);
    expect(answers.keptBytes()).toBeLessThanOrEqual(600);
  });
});
