import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { PAGE_ROUTES } from '../../../src/contract/page-routes.ts';

it('the document of the pages lists the address of every page', () => {
  const document = readFileSync(new URL('../../../docs/pages.md', import.meta.url), 'utf8');
  const listed = [...document.matchAll(/^- `(\/[^`]*)`/gm)].map(([, address]) => address);
  expect(listed.sort()).toEqual(Object.values(PAGE_ROUTES).sort());
});
