import { describe, expect, it } from 'vitest';
import { deletedRoutes } from '../../../../src/api/routes/deleted-routes.ts';
import { turnsDuring } from '../../../harness/turns-during.ts';

const list = deletedRoutes.find(({ operationId }) => operationId === 'listDeletedSecrets');

/** What the route sends for these items and this token. */
async function sent(deleted: readonly unknown[], next?: string): Promise<unknown> {
  const context = {
    services: { secrets: { deleted: { list: () => Promise.resolve({ deleted, continue: next }) } } },
    query: new URLSearchParams(),
    namespace: 'shop',
  };
  const response = await list?.handle(context as never);
  return response !== undefined && 'bytes' in response ? response.bytes.toString() : response;
}

describe('the list of deleted Secrets', () => {
  it('is one JSON text, with the token of the next page where there is one', async () => {
    const items = [{ name: 'a', description: '"\n' }, { name: 'b' }];
    expect(await sent([])).toBe('{"namespace":"shop","deleted":[]}');
    expect(await sent(items)).toBe(JSON.stringify({ namespace: 'shop', deleted: items }));
    expect(await sent(items, 'token')).toBe(
      JSON.stringify({ namespace: 'shop', deleted: items, continue: 'token' }),
    );
  });

  it('is made in slices, so that others are answered in between', async () => {
    const slow = {
      toJSON: () => {
        const end = performance.now() + 6;
        while (performance.now() < end);
        return 'x'.repeat(300_000);
      },
    };
    const send = () => sent(Array.from({ length: 10 }, () => slow));
    expect(await turnsDuring(send)).toBeGreaterThanOrEqual(9);
  });
});
