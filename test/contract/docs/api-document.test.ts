import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ERRORS } from '../../../src/api/error-responses.ts';
import { ACCESS_SOURCES } from '../../../src/access/decision.ts';
import { FAILURES } from '../../../src/workloads/consumers.ts';
import { USES } from '../../../src/workloads/uses.ts';
import { ERROR_CODES } from '../../../src/errors/service-error.ts';
import {
  createRequest,
  patchRequest,
  restoreRequest,
  restoreDeletedRequest,
  updateRequest,
} from '../../../src/api/routes/secret-schemas.ts';
import { restartRequest } from '../../../src/api/routes/workload-routes.ts';
import { deleteQuery, pageQuery } from '../../../src/api/routes/query-parameters.ts';
import { expiringQuery, searchQuery } from '../../../src/api/routes/list-routes.ts';
import { apiRoutes } from '../../../hack/openapi/document.ts';

const DOCUMENT = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8');

/** What the lists in the section under a heading say: the names of each entry, the status if it has one, and the meaning. */
function entries(heading: string): readonly (readonly [string, number, string])[] {
  const section = DOCUMENT.split(/^(?=## )/m).find((text) => text.startsWith(`## ${heading}\n`));
  if (section === undefined) throw new Error(`docs/api.md should have a section ${heading}`);
  return [...section.matchAll(/^- `([^`]+(?:`, `[^`]+)*)`(?: \((\d+)\))?: (.+)$/gm)].flatMap(
    ([, names = '', status = '', meaning = '']) =>
      names.split('`, `').map((name) => [name, Number(status), meaning] as const),
  );
}

const namesUnder = (heading: string) => entries(heading).map(([name]) => name);

describe('docs/api.md', () => {
  it('names every route, and no other', () => {
    const named = [...DOCUMENT.matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) \/api\/[^`]*)`/g)].map(
      ([, route = '']) => route,
    );
    const routes = apiRoutes().map(({ method, path }) => `${method} ${path}`);
    expect([...new Set(named)].sort()).toEqual(routes.sort());
  });

  it('names every error code with its status, and no other', () => {
    const documented = entries('Errors').map(([code, status]) => [code, status]);
    expect([...documented].sort()).toEqual(ERROR_CODES.map((code) => [code, ERRORS[code][0]]).sort());
  });

  it('says of every error code what the OpenAPI document says of it', () => {
    const documented = entries('Errors').map(([code, , meaning]) => [
      code,
      meaning.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1'),
    ]);
    expect(Object.fromEntries(documented)).toEqual(
      Object.fromEntries(Object.entries(ERRORS).map(([code, [, meaning]]) => [code, meaning])),
    );
  });

  it.each<[string, readonly string[]]>([
    ['Create', Object.keys(createRequest.schema.shape)],
    ['Update', Object.keys(updateRequest.schema.shape)],
    ['Change single keys', Object.keys(patchRequest.schema.shape)],
    ['Restore', Object.keys(restoreRequest.schema.shape)],
    ['Access', [...ACCESS_SOURCES, 'rules', 'hidden', 'open', 'unusable']],
    ['Consumers', USES],
    ['Restore a deleted Secret', Object.keys(restoreDeletedRequest.schema.shape)],
    ['Restart', [...Object.keys(restartRequest.schema.shape), ...FAILURES]],
    ['Pages of a list', Object.keys(pageQuery.shape)],
    ['Search', Object.keys(searchQuery.shape)],
    ['Expiry', Object.keys(expiringQuery.shape)],
    ['Delete', Object.keys(deleteQuery.shape)],
  ])('names every field under %s, and no other', (heading, fields) => {
    expect([...namesUnder(heading)].sort()).toEqual([...fields].sort());
  });
});
