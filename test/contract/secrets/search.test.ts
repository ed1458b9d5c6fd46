import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { annotation } from '../../harness/annotation.ts';
import { ADMIN, clientFor, DEVELOPER_A, type ApiAnswer, type ApiClient } from '../../harness/api-client.ts';
import { errorOf, jsonOf, listOf, type SecretJson } from '../../harness/answers.ts';
import { listBothWays } from '../../harness/both-lists.ts';
import { nativeSecret } from '../../harness/secret-paths.ts';
import { secretsOf } from '../../harness/secrets-client.ts';
import { openStack, type Stack } from '../../harness/stack.ts';
import { becomes } from '../../integration/replicas.ts';

interface SearchJson {
  readonly results: readonly SecretJson[];
  readonly more: boolean;
  readonly skipped: readonly string[];
}

let stack: Stack;
/** Two namespaces of this test, the first before the second by name. */
let one: string;
let two: string;
/** In everything that this test makes, and in nothing else. */
let tag: string;

beforeAll(async () => {
  stack = await openStack();
});
afterAll(() => stack.close());
beforeEach(async () => {
  [one = '', two = ''] = [await stack.namespace(), await stack.namespace()].sort();
  tag = `tag${one.slice(-8)}`;
});

const send = (query: string, client: ApiClient = stack.admin): Promise<ApiAnswer> =>
  client.get(`/api/search?${query}`);
const search = async (q: string, client?: ApiClient, more = ''): Promise<SearchJson> =>
  jsonOf(await send(`q=${encodeURIComponent(q)}${more}`, client), 200) as SearchJson;
const found = async (q: string, client?: ApiClient, more?: string) =>
  (await search(q, client, more)).results.map(
    ({ namespace, name }) => `${namespace === one ? 'one' : namespace === two ? 'two' : namespace}/${name}`,
  );

/** Values of the Secret are planted: no search finds or shows them. */
const seed = (
  namespace: string,
  name: string,
  given: { keys?: string[]; type?: string; rules?: object } = {},
) =>
  stack.kube.createSecret(
    namespace,
    nativeSecret(name, Object.fromEntries((given.keys ?? ['key']).map((key) => [key, 'planted-value'])), {
      ...(given.type === undefined ? {} : { type: given.type }),
      metadata: { annotations: { [annotation('description')]: `All have ${tag}`, ...given.rules } },
    }),
  );
const settled = async () => {
  for (const namespace of [one, two]) listOf(await listBothWays(stack.admin, namespace));
};

describe('a search', () => {
  it('answers {results, more, skipped} with the summaries of the lists, of all namespaces', async () => {
    await seed(one, 'a');
    await seed(two, 'b');
    const lists = [];
    for (const namespace of [one, two])
      lists.push(...listOf(await listBothWays(stack.admin, namespace)).secrets);
    expect(await search(tag)).toEqual({ results: lists, more: false, skipped: [] });
  });

  it('finds words that each occur in namespace, name, key names or description, ignoring case', async () => {
    await seed(one, 'orders', { keys: ['Password'] });
    await seed(two, 'billing', { keys: ['token'] });
    await settled();
    expect(await found(tag)).toEqual(['two/billing', 'one/orders']);
    expect(await found(`${tag} ORD`)).toEqual(['one/orders']);
    expect(await found(`pass ${tag.toUpperCase()} ord`)).toEqual(['one/orders']);
    expect(await found(`${two} tok`)).toEqual(['two/billing']);
    expect(await found(two)).toEqual(['two/billing']);
    for (const nothing of [
      `${tag} orders token`,
      `${tag} planted-value`,
      `${tag} .*`,
      `${tag} opaque`,
      `${tag} \\`,
    ])
      expect(await found(nothing), nothing).toEqual([]);
  });

  it('has exact names first, then names that begin with a word, then all others', async () => {
    for (const name of ['a-db', 'db', 'db-b', 'z']) await seed(one, name, { keys: ['db'] });
    for (const name of ['db', 'db-a']) await seed(two, name);
    await settled();
    expect(await found(`db ${tag}`)).toEqual([
      'one/db',
      'two/db',
      'two/db-a',
      'one/db-b',
      'one/a-db',
      'one/z',
    ]);
  });

  it('has the exact name of a word first that is part of another word, too', async () => {
    for (const name of ['a', 'db']) await seed(one, name, { keys: ['orders-db'] });
    await settled();
    expect(await found(`${tag} orders-db db`)).toEqual(['one/db', 'one/a']);
  });

  it('finds only the exact type, where one is given', async () => {
    await seed(one, 'a', { type: 'example.com/x' });
    await seed(one, 'b');
    await settled();
    expect(await found(tag, stack.admin, '&type=example.com/x')).toEqual(['one/a']);
    expect(await found(tag, stack.admin, '&type=example.com')).toEqual([]);
    expect(await found(tag, stack.admin, '&type=opaque')).toEqual([]);
    expect(await found(tag, stack.admin, '&type=Opaque')).toEqual(['one/b']);
  });

  it('has at most `limit` results, and says whether there are more', async () => {
    for (const name of ['a', 'b', 'c']) await seed(one, name);
    await settled();
    expect(await search(tag, stack.admin, '&limit=2')).toMatchObject({
      results: [{ name: 'a' }, { name: 'b' }],
      more: true,
    });
    expect(await search(tag, stack.admin, '&limit=3')).toMatchObject({ results: { length: 3 }, more: false });
  });

  it('shows changes of this replica at once, and no snapshots', async () => {
    await secretsOf(stack.admin, one).createWithHistory(`${tag}-versioned`, 2);
    expect(await found(tag)).toEqual([`one/${tag}-versioned`]);
    await secretsOf(stack.admin, one).update(`${tag}-versioned`, { data: { [`${tag}x`]: '' } });
    expect(await found(`${tag}x`)).toEqual([`one/${tag}-versioned`]);
    const secrets = secretsOf(stack.admin, one);
    const { resourceVersion } = await secrets.read(`${tag}-versioned`);
    await stack.admin.delete(secrets.deletePath(`${tag}-versioned`, resourceVersion));
    expect(await found(tag)).toEqual([]);
  });
});

describe('what a search shows', () => {
  it('is decided for each Secret as in lists: its own rules first, then the policy of its namespace', async () => {
    await seed(one, 'mine', { rules: { [annotation('allowed-groups')]: 'team-a' } });
    await seed(one, 'theirs', { rules: { [annotation('allowed-groups')]: 'team-b' } });
    await seed(one, 'open');
    await seed(two, 'mine-too', { rules: { [annotation('allowed-groups')]: 'team-a' } });
    await seed(two, 'closed');
    await stack.kube.setPolicy(two, { allowedGroups: '["someone-else"]' });
    await listBothWays(stack.developerA, two);
    await settled();
    expect(await found(tag, stack.developerA)).toEqual(['one/mine', 'two/mine-too', 'one/open']);
    expect(await found(tag, stack.guest)).toEqual(['one/open']);
    expect(await found(tag)).toHaveLength(5);
    const hidden = await search('theirs', stack.developerA, '&limit=1');
    expect(hidden).toMatchObject({ results: [], more: false });
    for (const namespace of [one, two]) expect(hidden.skipped).not.toContain(namespace);
  });

  it('leaves out namespaces with an unusable policy, and names them whatever the words are; administrators see them', async () => {
    await seed(one, 'a', { rules: { [annotation('allowed-groups')]: 'team-a' } });
    await seed(two, 'b');
    await stack.kube.setPolicy(one, { allowedGroups: 'broken' });
    await becomes(async () => (await stack.developerA.get(`/api/namespaces/${one}/secrets`)).status, 503);
    await settled();
    // On someone's cluster there may be others.
    const ofOne = expect.arrayContaining([one]) as unknown;
    const some = await search(tag, stack.developerA);
    expect(some).toMatchObject({ results: [{ name: 'b' }], skipped: ofOne });
    expect(some.skipped).not.toContain(two);
    expect(await search('no-such-word', stack.developerA)).toEqual({
      results: [],
      more: false,
      skipped: ofOne,
    });
    expect(await search(tag)).toMatchObject({ results: [{ name: 'a' }, { name: 'b' }], skipped: [] });
  });

  it('is only of namespaces in scope', async () => {
    await seed(one, 'a');
    await seed(two, 'b');
    const { url } = await stack.anotherService({ env: { SERVICE_NAMESPACES: two } });
    expect(await found(tag, await clientFor(url, ADMIN))).toEqual(['two/b']);
  });

  it('is without unmanaged Secrets, where only managed ones are shown', async () => {
    await seed(one, 'unmanaged');
    await secretsOf(stack.admin, one).create('managed', { description: tag });
    const { url } = await stack.anotherService({ env: { SERVICE_MANAGED_ONLY: 'true' } });
    expect(await found(tag, await clientFor(url, ADMIN))).toEqual(['one/managed']);
  });
});

describe('the parameters of a search', () => {
  it.each([
    ['', /^q is required and must not be blank$/],
    ['q=', /^q is required/],
    ['q=%20%09%C2%A0', /^q is required/],
    ['q=a&q=a', /^q must be given once$/],
    [`q=${'planted'.repeat(40)}`, /^q must have at most 256 characters$/],
    [`q=${'abcdefghijklmnopq'.split('').join('+')}`, /^q must have at most 16 words$/],
    ['q=a&limit=0', /^limit must be a whole number from 1 to 200$/],
    ['q=a&limit=201', /^limit/],
    ['q=a&limit=planted', /^limit/],
    ['q=a&limit=1&limit=1', /^limit must be given once$/],
    ['q=a&type=', /^type must not be empty$/],
    ['q=a&type=a&type=b', /^type must be given once$/],
  ])('%s is 400 and names the field and the rule, not the value', async (query, rule) => {
    const error = errorOf(await send(query), 400);
    expect(error).toMatch(rule);
    expect(error).not.toContain('planted');
  });

  it('are checked once there is a session', async () => {
    expect(errorOf(await send('q=', stack.anonymous), 401)).toBe('Sign-in required');
  });

  it.each(['<script>', '__proto__', '%', '\u0000', '(a+)+$', '🔒'.repeat(256), 'a b c d e f '.repeat(21)])(
    'may be anything: %j',
    async (q) => {
      expect(await search(q)).toMatchObject({ skipped: [] });
    },
  );
});

describe('a search is', () => {
  it('503 without caches, and says that they are disabled, not that it is worth trying again', async () => {
    const { url } = await stack.anotherService({ env: { SERVICE_LIST_CACHE: 'false' } });
    const answer = await send('q=a', await clientFor(url, DEVELOPER_A));
    expect(errorOf(answer, 503)).toMatch(/disabled here \(SERVICE_LIST_CACHE\)$/);
    expect(answer.headers.get('retry-after')).toBeNull();
  });

  it('possible again after more names were found absent than are remembered', async () => {
    await seed(one, 'a');
    for (let index = 0; index < 300; index++)
      await stack.developerA.get(`/api/namespaces/${one}/secrets/none-${index}`);
    expect(await found(tag)).toEqual(['one/a']);
  });

  it('audited as one line without the words, whatever its outcome', async () => {
    const lines = () => stack.service.logLines().filter(({ action }) => action === 'secret.search');
    const before = lines().length;
    await search(`planted-word ${tag}`, stack.developerA);
    await send('q=planted-word&limit=planted-word', stack.developerA);
    await becomes(() => Promise.resolve(lines().length), before + 2);
    const [good, bad] = lines().slice(-2);
    expect(good).toMatchObject({
      action: 'secret.search',
      outcome: 'succeeded',
      actor: 'developer-a@example.com',
    });
    expect(bad).toMatchObject({ action: 'secret.search', outcome: 'failed', code: 'invalidRequest' });
    expect(good).not.toHaveProperty('namespace');
    expect(stack.service.output()).not.toContain('planted-word');
  });
});
