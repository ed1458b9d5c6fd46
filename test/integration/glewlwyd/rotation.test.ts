import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeSigningKey, type SignatureAlgorithm } from '../../harness/glewlwyd/signing-keys.ts';
import { ANNA_USER, signIn, startFixture, whoIs, type Fixture } from './fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.close());

const CHANGES: readonly (readonly [SignatureAlgorithm, SignatureAlgorithm])[] = [
  ['RS256', 'RS256'],
  ['ES256', 'ES256'],
  ['RS256', 'ES256'],
  ['ES256', 'EdDSA'],
  ['EdDSA', 'PS512'],
];

describe('Glewlwyd changes its key while the service runs', () => {
  test.each(CHANGES)('from %s to %s: the next login works, and no session ends', async (before, after) => {
    const provider = `${before}-${after}`;
    await fixture.glewlwyd.provide({ name: provider, keys: [makeSigningKey(before)] });
    const service = await fixture.startService({ provider });
    const earlier = await signIn(service.url);
    await fixture.glewlwyd.provide({ name: provider, keys: [makeSigningKey(after)] });
    expect(await signIn(service.url)).toMatchObject({ landedAt: '/', user: ANNA_USER });
    expect(await whoIs(earlier.browser, service.url)).toMatchObject(ANNA_USER);
  });

  test('to HS256: the next login is refused', async () => {
    await fixture.glewlwyd.provide({ name: 'to-secret', keys: [makeSigningKey('ES256')] });
    const service = await fixture.startService({ provider: 'to-secret' });
    expect(await signIn(service.url)).toMatchObject({ landedAt: '/' });
    await fixture.glewlwyd.provide({ name: 'to-secret', keys: [makeSigningKey('HS256')] });
    expect(await signIn(service.url)).toMatchObject({ landedAt: '/login?auth=error', user: null });
    expect(service.logLines()).toContainEqual(
      expect.objectContaining({ event: 'login failed', code: 'algorithm_refused', stage: 'token' }),
    );
  });
});
