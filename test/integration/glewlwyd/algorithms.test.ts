import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACCEPTED_ALGORITHMS, makeSigningKey } from '../../harness/glewlwyd/signing-keys.ts';
import { ANNA_USER, signIn, startFixture, type Fixture } from './fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.close());

describe('the signatures that Glewlwyd makes', () => {
  test.each(ACCEPTED_ALGORITHMS)('an ID token signed with %s is accepted', async (alg) => {
    await fixture.glewlwyd.provide({ name: alg, keys: [makeSigningKey(alg)] });
    const service = await fixture.startService({ provider: alg });
    expect(await signIn(service.url)).toMatchObject({ landedAt: '/', user: ANNA_USER });
  });

  test('an ID token signed with HS256 is refused', async () => {
    await fixture.glewlwyd.provide({ name: 'HS256', keys: [makeSigningKey('HS256')] });
    const service = await fixture.startService({ provider: 'HS256' });
    expect(await signIn(service.url)).toMatchObject({ landedAt: '/login?auth=error', user: null });
    expect(service.logLines()).toContainEqual(
      expect.objectContaining({ event: 'login failed', code: 'algorithm_refused' }),
    );
  });
});
