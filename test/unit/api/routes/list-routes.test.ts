import { expect, it } from 'vitest';
import { listRoutes } from '../../../../src/api/routes/list-routes.ts';

it.each([
  ['q=db', 50],
  ['q=db&limit=200', 200],
])('a search for %s has at most %i results', async (query, most) => {
  const limits: number[] = [];
  const search = (_actor: unknown, { limit }: { limit: number }) => {
    limits.push(limit);
    return Promise.resolve(Buffer.from('{}'));
  };
  const route = listRoutes.find(({ operationId }) => operationId === 'searchSecrets');
  await route?.handle({ services: { lists: { search } }, query: new URLSearchParams(query) } as never);
  expect(limits).toEqual([most]);
});
