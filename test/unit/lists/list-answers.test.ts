import { describe, expect, it } from 'vitest';
import type { AccessRules } from '../../../src/contract/access-rules.ts';
import { ListAnswers, type Visibility } from '../../../src/lists/list-answers.ts';
import { createCompressor, type ListBody } from '../../../src/lists/list-body.ts';
import type { ListItem } from '../../../src/lists/list-item.ts';
import { viewOf } from '../../../src/lists/views.ts';
import { itemOf } from './items.ts';

const group = (name: string): AccessRules => ({ allowedGroups: [name], allowedUsers: [] });
const item = (name: string, more: Parameters<typeof itemOf>[1] = {}): ListItem =>
  itemOf(name, { description: 'ü"\u2028', ...more });

/** What those of some groups see; a name of their own decides their visible set once. */
const seeing = (...groups: readonly string[]): Visibility => ({
  canCreate: true,
  key: groups.join(),
  isVisible: ({ rules: { allowedGroups } }) =>
    allowedGroups.length === 0 || allowedGroups.some((one) => groups.includes(one)),
});
const managedOnly = (visibility: Visibility): Visibility => ({
  ...visibility,
  key: `managed ${visibility.key}`,
  isVisible: (one) => one.managed && visibility.isVisible(one),
});

const SOME = [
  item('a'),
  item('b', { rules: group('x') }),
  item('c', { rules: group('y'), managed: false }),
  item('d', { rules: group('x') }),
];
const ITEMS = await viewOf('ns', SOME);

const namesIn = ({ plain }: ListBody) =>
  (JSON.parse(plain.toString()) as { secrets: { name: string }[] }).secrets.map(({ name }) => name);

describe('the answers of lists', () => {
  it('have what is visible, in order', async () => {
    const answers = new ListAnswers(10_000, createCompressor());
    expect(namesIn(await answers.answer(ITEMS, seeing()))).toEqual(['a']);
    expect(namesIn(await answers.answer(ITEMS, seeing('x')))).toEqual(['a', 'b', 'd']);
    expect(namesIn(await answers.answer(ITEMS, seeing('x', 'y')))).toEqual(['a', 'b', 'c', 'd']);
    expect(namesIn(await answers.answer(ITEMS, managedOnly(seeing('x', 'y'))))).toEqual(['a', 'b', 'd']);
  });

  it('are what JSON.stringify makes of the whole', async () => {
    const visible = seeing('x', 'y');
    const whole = {
      namespace: 'ns',
      secrets: SOME.map(({ json }) => JSON.parse(json) as unknown),
      canCreate: true,
    };
    const body = await new ListAnswers(10_000, createCompressor()).answer(ITEMS, visible);
    expect(body.plain.toString()).toBe(JSON.stringify(whole));
  });

  it('are shared by all who see the same, and made again for all others', async () => {
    const answers = new ListAnswers(10_000, createCompressor());
    const first = await answers.answer(ITEMS, seeing('x'));
    expect(await answers.answer(ITEMS, seeing('x', 'z'))).toBe(first);
    expect(await answers.answer(ITEMS, seeing('y'))).not.toBe(first);
    const barred = await answers.answer(ITEMS, { ...seeing('x'), key: 'barred', canCreate: false });
    expect(barred.plain.toString()).toContain('"canCreate":false');
    expect(await answers.answer(ITEMS, seeing('x'))).toBe(first);
  });

  it('are made once for all requests that come while they are being made', async () => {
    const answers = new ListAnswers(10_000, createCompressor());
    const bodies = await Promise.all(Array.from({ length: 40 }, () => answers.answer(ITEMS, seeing('x'))));
    expect(new Set(bodies).size).toBe(1);
  });

  it('of long lists are made in slices, and of another state that comes meanwhile are not mixed', async () => {
    const answers = new ListAnswers(100_000_000, createCompressor());
    const text = 'x'.repeat(20_000);
    const long = (tag: string) =>
      viewOf(
        'ns',
        Array.from({ length: 1_000 }, (_one, index) =>
          item(`${tag}${String(index).padStart(3, '0')}`, {
            description: text,
            rules: group(`${index % 7}`),
          }),
        ),
      );
    const [one, other] = [await long('one'), await long('other')];
    const all = seeing('0', '1', '2', '3', '4', '5', '6');
    let turns = 0;
    const count = () => {
      turns++;
      pending = setImmediate(count);
    };
    let pending = setImmediate(count);
    const made = [answers.answer(one, all), answers.answer(other, all), answers.answer(one, all)];
    const bodies = await Promise.all(made);
    clearImmediate(pending);
    expect(turns).toBeGreaterThan(3);
    expect(bodies.map((body) => namesIn(body)[999])).toEqual(['one999', 'other999', 'one999']);
    expect(answers.bytes()).toBeLessThan(100_000_000);
  });

  it('decide about every item once', async () => {
    let calls = 0;
    await new ListAnswers(10_000, createCompressor()).answer(ITEMS, {
      ...seeing(),
      isVisible: () => {
        calls++;
        return true;
      },
    });
    expect(calls).toBe(4);
  });

  it('of another state replace those of the one before', async () => {
    const answers = new ListAnswers(10_000, createCompressor());
    await answers.answer(ITEMS, seeing('x'));
    const kept = answers.bytes();
    const next = await viewOf('ns', SOME);
    const body = await answers.answer(next, seeing('x'));
    expect(answers.bytes()).toBe(kept);
    expect(await answers.answer(next, seeing('x'))).toBe(body);
  });

  it('of two namespaces with equal items are apart, and empty ones are not kept', async () => {
    const answers = new ListAnswers(10_000, createCompressor());
    for (const name of ['one', 'two'])
      expect((await answers.answer(await viewOf(name, []), seeing())).plain.toString()).toContain(
        `"${name}"`,
      );
    expect(answers.bytes()).toBe(0);
    for (const name of ['one', 'two'])
      expect((await answers.answer(await viewOf(name, SOME), seeing())).plain.toString()).toContain(
        `{"namespace":"${name}"`,
      );
  });

  it('are kept within bounds; the namespace longest unused goes first', async () => {
    const answers = new ListAnswers(3_000, createCompressor());
    const views = await Promise.all(Array.from({ length: 8 }, (_, index) => viewOf(`ns-${index}`, SOME)));
    const answerAt = (index: number) => answers.answer(views[index] ?? ITEMS, seeing('x', 'y'));
    const first = await answerAt(0);
    for (let index = 1; index < 8; index++) {
      expect(await answerAt(0)).toBe(first);
      await answerAt(index);
      expect(answers.bytes()).toBeLessThanOrEqual(3_000);
    }
    const last = await answerAt(7);
    expect(await answerAt(7)).toBe(last);
    const second = await answerAt(1);
    expect(await answerAt(1)).toBe(second);
  });

  it('larger than all that may be kept are answered all the same', async () => {
    const answers = new ListAnswers(600, createCompressor());
    expect(namesIn(await answers.answer(ITEMS, seeing('x', 'y')))).toHaveLength(4);
    expect(answers.bytes()).toBeLessThanOrEqual(600);
  });
});

describe('a visible set', () => {
  it('is decided once for each person and view', async () => {
    const answers = new ListAnswers(10_000, createCompressor());
    let decisions = 0;
    const counted = (visibility: Visibility): Visibility => ({
      ...visibility,
      isVisible: (one) => {
        decisions++;
        return visibility.isVisible(one);
      },
    });
    const someone = counted(seeing('x'));
    await Promise.all([1, 2].map(() => answers.answer(ITEMS, someone)));
    expect(namesIn(await answers.answer(ITEMS, someone))).toEqual(['a', 'b', 'd']);
    expect(decisions).toBe(4);
    expect(namesIn(await answers.answer(ITEMS, counted(managedOnly(seeing('x')))))).toEqual(['a', 'b', 'd']);
    expect(decisions).toBe(8);
    expect(namesIn(await answers.answer(ITEMS, counted(seeing('y'))))).toEqual(['a', 'c']);
    await answers.answer(await viewOf('ns', SOME), someone);
    expect(decisions).toBe(16);
  });
});
