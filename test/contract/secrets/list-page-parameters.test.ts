import { describe, expect, it } from 'vitest';
import { ADMIN, clientFor, DEVELOPER_A } from '../../harness/api-client.ts';
import { errorOf } from '../../harness/answers.ts';
import { secretsPath } from '../../harness/secret-paths.ts';
import { becomes } from '../../integration/replicas.ts';
import { namesOf, type PageJson, openListPagesFixture } from './list-pages-fixture.ts';

const { here, page, send, settled, seed } = openListPagesFixture();

describe('the parameters of a page', () => {
  it.each([
    ['limit=', /^limit must be a whole number from 1 to 500$/],
    ['limit=0', /^limit/],
    ['limit=501', /^limit/],
    ['limit=-1', /^limit/],
    ['limit=1.5', /^limit/],
    ['limit=1e2', /^limit/],
    ['limit=%201', /^limit/],
    ['limit=01', /^limit/],
    ['limit=99999999999999999999', /^limit/],
    ['limit=planted', /^limit/],
    ['limit=1&limit=1', /^limit must be given once$/],
    ['limit=1&q=a&q=a', /^q must be given once$/],
    [`limit=1&q=${'planted'.repeat(40)}`, /^q must have at most 256 characters$/],
    [
      `limit=1&q=${Array.from({ length: 17 }, (_, index) => `planted${index}`).join('+')}`,
      /^q must have at most 16 words$/,
    ],
    ['limit=1&sort=planted', /^sort must be name or changed$/],
    ['limit=1&sort=', /^sort/],
    ['limit=1&sort=name&sort=name', /^sort must be given once$/],
    ['limit=1&continue=', /^continue must/],
    ['limit=1&continue=planted', /^continue must/],
    [`limit=1&continue=${'A'.repeat(60)}`, /^continue must/],
    [`limit=1&continue=${'A'.repeat(15_000)}`, /^continue must/],
    ['limit=1&continue=a&continue=a', /^continue must be given once$/],
  ])('%s is 400 and names the field and the rule, not the value', async (query, rule) => {
    const error = errorOf(await send(here.stack.admin, query), 400);
    expect(error).toMatch(rule);
    expect(error).not.toContain('planted');
  });

  it.each(['q', 'Ä'])('q may have 256 characters: %s', async (letter) => {
    expect(await page(`limit=1&q=${encodeURIComponent(letter.repeat(256))}`)).toMatchObject({ total: 0 });
    expect((await page(`limit=1&q=${encodeURIComponent('🔒'.repeat(256))}`)).total).toBe(0);
  });

  it('q may have 16 words, and any of them twice', async () => {
    const words = Array.from({ length: 16 }, (_, index) => `w${index}`);
    expect((await page(`limit=1&q=${[...words, ...words].join('+')}`)).total).toBe(0);
  });

  it('come after the session, the path and the scope, and before the cache and the policy', async () => {
    const { url } = await here.stack.anotherService({ env: { SERVICE_NAMESPACES: here.namespace } });
    const scoped = await clientFor(url, DEVELOPER_A);
    const wrong = '?limit=0';
    await here.stack.kube.setPolicy(here.namespace, { allowedGroups: 'broken' });
    errorOf(await (await clientFor(url)).get(`/api/namespaces/Bad_Name/secrets${wrong}`), 401);
    expect(errorOf(await scoped.get(`/api/namespaces/Bad_Name/secrets${wrong}`), 400)).toMatch(/^namespace/);
    expect(errorOf(await scoped.get(`/api/namespaces/no-${here.namespace}/secrets${wrong}`), 403)).toMatch(
      /scope/,
    );
    expect(errorOf(await scoped.get(`${secretsPath(here.namespace)}${wrong}`), 400)).toMatch(/^limit/);
    await becomes(async () => (await scoped.get(`${secretsPath(here.namespace)}?limit=1`)).status, 503);
  });
});

describe('a token that no one was given', () => {
  const forge = (token: string, change: (bytes: Buffer) => void): string => {
    const bytes = Buffer.from(token, 'base64url');
    change(bytes);
    return bytes.toString('base64url');
  };

  it('is 400 or 410, or leads to no more than the page of the one who sends it', async () => {
    for (const name of ['a', 'b', 'c']) await seed(name);
    await settled();
    const { continue: token = '' } = await page('limit=1');
    for (let byte = 0; byte < 45; byte++) {
      const forged = forge(token, (bytes) => {
        bytes[byte] = (bytes[byte] ?? 0) ^ 0x40;
      });
      const answer = await send(here.stack.admin, `limit=1&continue=${forged}`);
      // Another id leads nowhere by itself: the state is still the current one, and the person the same.
      expect([200, 400, 410], `byte ${byte}`).toContain(answer.status);
      if (answer.status === 200) expect(namesOf(answer.json as PageJson)).toEqual(['b']);
    }
  });
});

describe('without a cache', () => {
  it('pages are collected live, and go on', async () => {
    const { url } = await here.stack.anotherService({ env: { SERVICE_LIST_CACHE: 'false' } });
    const admin = await clientFor(url, ADMIN);
    for (const name of ['live-a', 'live-b', 'live-c']) await here.secrets.create(name);
    const names: string[] = [];
    for (let token: string | undefined = ''; token !== undefined;) {
      const query = `?limit=1&sort=name${token === '' ? '' : `&continue=${token}`}`;
      const answer = await admin.get(`${secretsPath(here.namespace)}${query}`);
      expect([answer.status, answer.headers.get('x-list-source')]).toEqual([200, 'live']);
      const page = answer.json as { secrets: { name: string }[]; continue?: string };
      names.push(...page.secrets.map(({ name }) => name));
      token = page.continue;
    }
    expect(names.filter((name) => name.startsWith('live-'))).toEqual(['live-a', 'live-b', 'live-c']);
  });
});
