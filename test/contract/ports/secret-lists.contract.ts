import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { StoredSecret } from '../../../src/kube/secret.ts';
import { unhurriedCall } from '../../fakes/fake-call.ts';
import { codeOf } from '../../fakes/fake-journal.ts';
import { draftOf } from '../../fakes/fake-objects.ts';
import type { ClusterFixture } from './cluster-fixture.ts';

const deadline = unhurriedCall();

/** Registers the promises of the lists of a SecretStore as tests of the store that `here` has when they run. */
export function secretListsContract(here: {
  readonly fixture: ClusterFixture;
  readonly namespace: string;
}): void {
  describe('listPage', () => {
    const names = (secrets: Iterable<StoredSecret>): readonly string[] =>
      [...secrets].map(({ name }) => name);
    const seedFive = async (): Promise<void> => {
      const labels = [
        {},
        { kind: 'history' },
        { kind: 'live' },
        { kind: 'history', of: 's0' },
        { tier: 'a' },
      ];
      for (const [index, own] of labels.entries()) {
        await here.fixture.seed({
          namespace: here.namespace,
          name: `s${index}`,
          labels: own,
          data: { x: `${index}` },
        });
      }
    };

    it.each([
      ['', ['s0', 's1', 's2', 's3', 's4']],
      ['kind!=history', ['s0', 's2', 's4']],
      ['kind=history', ['s1', 's3']],
      ['kind=history,of=s0', ['s3']],
      ['kind', ['s1', 's2', 's3']],
      ['!kind', ['s0', 's4']],
    ])('selects by labels: "%s"', async (labelSelector, expected) => {
      await seedFive();
      const page = await here.fixture.secrets.listPage(
        here.namespace,
        { ...pageOf(10), labelSelector },
        deadline,
      );
      expect(names(page.items)).toEqual(expected);
      expect(page.continueToken).toBeUndefined();
    });

    it('gives whole objects', async () => {
      const annotations = new Map([['n', '1']]);
      const data = new Map([['__proto__', randomBytes(9)]]);
      const created = await here.fixture.secrets.create(
        draftOf({ namespace: here.namespace, name: 'a', annotations, data }),
        deadline,
      );
      const page = await here.fixture.secrets.listPage(here.namespace, pageOf(10), deadline);
      const [listed] = page.items;
      expect(listed).toMatchObject({
        namespace: here.namespace,
        name: 'a',
        uid: created.uid,
        type: 'Opaque',
      });
      expect(listed && bytesOf(listed)).toEqual(bytesOf(created));
      expect(page.bytes).toBeGreaterThan(0);
    });

    it('gives every object once over pages that share one revision and show one state', async () => {
      await seedFive();
      const first = await here.fixture.secrets.listPage(here.namespace, pageOf(2), deadline);
      await here.fixture.seed({ namespace: here.namespace, name: 's9' });
      const pages = [first];
      for (let { continueToken } = first; continueToken !== undefined;) {
        const page = await here.fixture.secrets.listPage(
          here.namespace,
          { ...pageOf(2), continueToken },
          deadline,
        );
        pages.push(page);
        ({ continueToken } = page);
      }
      expect(pages.map(({ items }) => names(items))).toEqual([['s0', 's1'], ['s2', 's3'], ['s4']]);
      expect(new Set(pages.map(({ resourceVersion }) => resourceVersion)).size).toBe(1);
    });

    it('answers expired for a continue token that has expired', async () => {
      await seedFive();
      const { continueToken } = await here.fixture.secrets.listPage(here.namespace, pageOf(2), deadline);
      if (continueToken === undefined) throw new Error('there should be more pages');
      await here.fixture.expireContinueTokens();
      expect(
        await codeOf(
          here.fixture.secrets.listPage(here.namespace, { ...pageOf(2), continueToken }, deadline),
        ),
      ).toBe('expired');
    });

    it('answers responseTooLarge instead of an answer beyond the bound', async () => {
      await here.fixture.seed({ namespace: here.namespace, name: 'a', data: { x: 'x'.repeat(5_000) } });
      const bounded = { ...pageOf(10), maxBytes: 4_000 };
      expect(await codeOf(here.fixture.secrets.listPage(here.namespace, bounded, deadline))).toBe(
        'responseTooLarge',
      );
    });

    it('is empty for a namespace that is absent', async () => {
      const page = await here.fixture.secrets.listPage(`no-${here.namespace}`, pageOf(10), deadline);
      expect([...page.items]).toEqual([]);
    });
  });

  describe('listMetadata', () => {
    const selecting = (labelSelector: string, limit = 10) => ({ ...pageOf(limit), labelSelector });
    const seedThree = async (): Promise<void> => {
      for (const name of ['a', 'b', 'c', 'other']) {
        const labels: Record<string, string> = name === 'other' ? {} : { kind: 'history' };
        await here.fixture.seed({
          namespace: here.namespace,
          name,
          labels,
          annotations: { n: name },
          data: { x: 'value' },
        });
      }
    };

    it('gives of the objects that are selected what a list gives, without their values', async () => {
      await seedThree();
      const page = await here.fixture.secrets.listPage(here.namespace, selecting('kind=history'), deadline);
      const whole = [...page.items];
      const { items, bytes } = await here.fixture.secrets.listMetadata(
        here.namespace,
        selecting('kind=history'),
        deadline,
      );
      expect(whole).toHaveLength(3);
      for (const [index, item] of [...items].entries()) {
        expect(whole[index]).toMatchObject(item);
        expect([item.name, item.annotations.get('n'), item.labels.get('kind')]).toEqual([
          item.name,
          item.name,
          'history',
        ]);
        expect(Object.keys(item)).not.toContain('data');
        expect(Object.keys(item)).not.toContain('native');
      }
      expect(bytes).toBeGreaterThan(0);
    });

    it('gives every object once over pages that share one revision', async () => {
      await seedThree();
      const first = await here.fixture.secrets.listMetadata(here.namespace, selecting('kind', 2), deadline);
      const { continueToken } = first;
      if (continueToken === undefined) throw new Error('there should be more pages');
      const second = await here.fixture.secrets.listMetadata(
        here.namespace,
        { ...selecting('kind', 2), continueToken },
        deadline,
      );
      expect([...first.items, ...second.items].map(({ name }) => name)).toEqual(['a', 'b', 'c']);
      expect(second).toMatchObject({ resourceVersion: first.resourceVersion, continueToken: undefined });
      await here.fixture.expireContinueTokens();
      const late = here.fixture.secrets.listMetadata(
        here.namespace,
        { ...selecting('kind', 2), continueToken },
        deadline,
      );
      expect(await codeOf(late)).toBe('expired');
    });

    it('costs nothing for values, however large they are', async () => {
      await here.fixture.seed({ namespace: here.namespace, name: 'large', data: { x: 'x'.repeat(500_000) } });
      const page = await here.fixture.secrets.listMetadata(
        here.namespace,
        { ...pageOf(10), maxBytes: 4_000 },
        deadline,
      );
      expect([...page.items].map(({ name }) => name)).toEqual(['large']);
      expect(page.bytes).toBeLessThan(4_000);
      const tight = { ...pageOf(10), maxBytes: 10 };
      expect(await codeOf(here.fixture.secrets.listMetadata(here.namespace, tight, deadline))).toBe(
        'responseTooLarge',
      );
    });
  });
}

export function pageOf(limit: number) {
  return { labelSelector: '', limit, maxBytes: 1_000_000 };
}

/** Values as comparable text, by key. */
export function bytesOf({ data }: Pick<StoredSecret, 'data'>): Map<string, string> {
  const texts = [...data].map(([key, value]) => [key, Buffer.from(value).toString('base64')] as const);
  return new Map(texts.sort(([one], [other]) => (one < other ? -1 : 1)));
}
