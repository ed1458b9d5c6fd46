import { describe, expect, it } from 'vitest';
import type { AccessRules } from '../../../src/contract/access-rules.ts';
import { createListAnswers, type Visibility } from '../../../src/secrets/list-answers.ts';
import { createCompressor, type ListBody } from '../../../src/secrets/list-body.ts';
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
    notAfter: undefined,
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

const namesIn = ({ plain }: ListBody) =>
  (JSON.parse(plain.toString()) as { secrets: { name: string }[] }).secrets.map(({ name }) => name);

describe('the answers of lists', () => {
  it('have what is visible, in order', async () => {
    const answers = createListAnswers(10_000, createCompressor());
    expect(namesIn(await answers.answer('ns', ITEMS, seeing()))).toEqual(['a']);
    expect(namesIn(await answers.answer('ns', ITEMS, seeing('x')))).toEqual(['a', 'b', 'd']);
    expect(namesIn(await answers.answer('ns', ITEMS, seeing('x', 'y')))).toEqual(['a', 'b', 'c', 'd']);
    expect(namesIn(await answers.answer('ns', ITEMS, { ...seeing('x', 'y'), managedOnly: true }))).toEqual([
      'a',
      'b',
      'd',
    ]);
  });

  it('are what JSON.stringify makes of the whole', async () => {
    const visible = seeing('x', 'y');
    const whole = {
      namespace: 'ns',
      secrets: ITEMS.map(({ json }) => JSON.parse(json) as unknown),
      canCreate: true,
    };
    const body = await createListAnswers(10_000, createCompressor()).answer('ns', ITEMS, visible);
    expect(body.plain.toString()).toBe(JSON.stringify(whole));
  });

  it('are shared by all who see the same, and made again for all others', async () => {
    const answers = createListAnswers(10_000, createCompressor());
    const first = await answers.answer('ns', ITEMS, seeing('x'));
    expect(await answers.answer('ns', ITEMS, seeing('x', 'z'))).toBe(first);
    expect(await answers.answer('ns', ITEMS, seeing('y'))).not.toBe(first);
    const barred = await answers.answer('ns', ITEMS, { ...seeing('x'), canCreate: false });
    expect(barred.plain.toString()).toContain('"canCreate":false');
    expect(await answers.answer('ns', ITEMS, seeing('x'))).toBe(first);
  });

  it('are made once for all requests that come while they are being made', async () => {
    const answers = createListAnswers(10_000, createCompressor());
    const bodies = await Promise.all(
      Array.from({ length: 40 }, () => answers.answer('ns', ITEMS, seeing('x'))),
    );
    expect(new Set(bodies).size).toBe(1);
  });

  it('of long lists are made in slices, and of another state that comes meanwhile are not mixed', async () => {
    const answers = createListAnswers(100_000_000, createCompressor());
    const text = 'x'.repeat(20_000);
    const long = (tag: string) =>
      Array.from({ length: 1_000 }, (_one, index) =>
        item(`${tag}${index}`, {
          json: JSON.stringify({ name: `${tag}${index}`, text }),
          rules: group(`${index % 7}`),
        }),
      );
    const [one, other] = [long('one'), long('other')];
    const all = seeing('0', '1', '2', '3', '4', '5', '6');
    let turns = 0;
    const count = () => {
      turns++;
      pending = setImmediate(count);
    };
    let pending = setImmediate(count);
    const made = [
      answers.answer('ns', one, all),
      answers.answer('ns', other, all),
      answers.answer('ns', one, all),
    ];
    const bodies = await Promise.all(made);
    clearImmediate(pending);
    expect(turns).toBeGreaterThan(3);
    expect(bodies.map((body) => namesIn(body)[999])).toEqual(['one999', 'other999', 'one999']);
    expect(answers.keptBytes()).toBeLessThan(100_000_000);
  });

  it('check every set of rules once', async () => {
    let calls = 0;
    await createListAnswers(10_000, createCompressor()).answer('ns', ITEMS, {
      ...seeing(),
      isVisible: () => {
        calls++;
        return true;
      },
    });
    expect(calls).toBe(3);
  });

  it('of another state replace those of the one before', async () => {
    const answers = createListAnswers(10_000, createCompressor());
    await answers.answer('ns', ITEMS, seeing('x'));
    const kept = answers.keptBytes();
    const next = [...ITEMS];
    const body = await answers.answer('ns', next, seeing('x'));
    expect(answers.keptBytes()).toBe(kept);
    expect(await answers.answer('ns', next, seeing('x'))).toBe(body);
  });

  it('of two namespaces with equal items are apart, and empty ones are not kept', async () => {
    const answers = createListAnswers(10_000, createCompressor());
    const none: readonly ListItem[] = [];
    expect((await answers.answer('one', none, seeing())).plain.toString()).toContain('"one"');
    expect((await answers.answer('two', none, seeing())).plain.toString()).toContain('"two"');
    expect(answers.keptBytes()).toBe(0);
    expect((await answers.answer('one', ITEMS, seeing())).plain.toString()).toContain('"one"');
    expect((await answers.answer('two', ITEMS, seeing())).plain.toString()).toContain('"two"');
  });

  it('are kept within bounds; the namespace longest unused goes first', async () => {
    const answers = createListAnswers(3_000, createCompressor());
    const states = Array.from({ length: 8 }, () => [...ITEMS]);
    const answerAt = (index: number) => answers.answer(`ns-${index}`, states[index] ?? [], seeing('x', 'y'));
    const first = await answerAt(0);
    for (let index = 1; index < 8; index++) {
      expect(await answerAt(0)).toBe(first);
      await answerAt(index);
      expect(answers.keptBytes()).toBeLessThanOrEqual(3_000);
    }
    const last = await answerAt(7);
    expect(await answerAt(7)).toBe(last);
    const second = await answerAt(1);
    expect(await answerAt(1)).toBe(second);
  });

  it('larger than all that may be kept are answered all the same', async () => {
    const answers = createListAnswers(600, createCompressor());
    expect(namesIn(await answers.answer('ns', ITEMS, seeing('x', 'y')))).toHaveLength(4);
    expect(answers.keptBytes()).toBeLessThanOrEqual(600);
  });
});

describe('a visible set', () => {
  const counted = (key: string | undefined, ...groups: readonly string[]) => {
    const seen = seeing(...groups);
    let decisions = 0;
    const visibility: Visibility = {
      ...seen,
      ...(key !== undefined && { key }),
      isVisible: (rules) => {
        decisions++;
        return seen.isVisible(rules);
      },
    };
    return { visibility, decisions: () => decisions };
  };

  it('is decided once for each person and state', async () => {
    const answers = createListAnswers(10_000, createCompressor());
    const someone = counted('someone', 'x');
    await answers.answer('ns', ITEMS, someone.visibility);
    expect(namesIn(await answers.answer('ns', ITEMS, someone.visibility))).toEqual(['a', 'b', 'd']);
    expect(someone.decisions()).toBe(3);
    expect(namesIn(await answers.answer('ns', ITEMS, { ...someone.visibility, managedOnly: true }))).toEqual([
      'a',
      'b',
      'd',
    ]);
    expect(someone.decisions()).toBe(6);
    const other = counted('other', 'y');
    expect(namesIn(await answers.answer('ns', ITEMS, other.visibility))).toEqual(['a', 'c']);
    await answers.answer('ns', [...ITEMS], someone.visibility);
    expect(someone.decisions()).toBe(9);
  });

  it('is decided for each list of someone who is not named', async () => {
    const answers = createListAnswers(10_000, createCompressor());
    const { visibility, decisions } = counted(undefined, 'x');
    for (const _round of [1, 2]) await answers.answer('ns', ITEMS, visibility);
    expect(decisions()).toBe(6);
  });
});
