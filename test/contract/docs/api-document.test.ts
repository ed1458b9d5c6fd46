import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ERROR_DESCRIPTIONS } from '../../../src/api/error-descriptions.ts';
import { STATUS_OF } from '../../../src/api/http/status.ts';
import { ACCESS_SOURCES } from '../../../src/access/explanation.ts';
import { FAILURES } from '../../../src/workloads/restart-one.ts';
import { USES } from '../../../src/workloads/uses.ts';
import { ERROR_CODES } from '../../../src/errors/service-error.ts';
import * as schemas from '../../../src/api/routes/response-schemas.ts';
import {
  createBody,
  restoreBody,
  restoreDeletedBody,
  updateBody,
} from '../../../src/api/routes/secret-schemas.ts';
import { restartBody } from '../../../src/api/routes/workload-schemas.ts';
import { deleteQuery } from '../../../src/api/routes/delete-query.ts';
import { pageQuery } from '../../../src/api/routes/page-query.ts';
import { searchQuery } from '../../../src/api/routes/search-route.ts';
import { openApiDocument } from '../../../src/api/openapi.ts';
import { apiRoutes } from '../../../hack/openapi/document.ts';

const DOCUMENT = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8');

/** The cells of all table rows in the section under a heading. */
function rows(heading: string): readonly (readonly string[])[] {
  const section = DOCUMENT.split(/^(?=## )/m).find((text) => text.startsWith(`## ${heading}\n`));
  if (section === undefined) throw new Error(`docs/api.md should have a section ${heading}`);
  return section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

const firstCells = (heading: string) => rows(heading).map(([cell = '']) => cell.replaceAll('`', ''));

describe('docs/api.md', () => {
  it('names every route of the table, and no other', () => {
    expect([...firstCells('Routes')].sort()).toEqual(
      apiRoutes()
        .map(({ method, path }) => `${method} ${path}`)
        .sort(),
    );
  });

  it('names every error code with its status, and no other', () => {
    const documented = rows('Errors').map(([code = '', status]) => [
      code.replaceAll('`', ''),
      Number(status),
    ]);
    expect([...documented].sort()).toEqual(ERROR_CODES.map((code) => [code, STATUS_OF[code]]).sort());
  });

  it('says of every error code what the OpenAPI document says of it', () => {
    const documented = rows('Errors').map(([code = '', , meaning = '']) => [
      code.replaceAll('`', ''),
      meaning.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1'),
    ]);
    expect(Object.fromEntries(documented)).toEqual(ERROR_DESCRIPTIONS);
  });

  it.each([
    ['Create', Object.keys(createBody.shape)],
    ['Update', Object.keys(updateBody.shape)],
    ['Restore', Object.keys(restoreBody.shape)],
    ['Versions', Object.keys(schemas.versionsResponse.shape.versions.element.shape)],
    ['Access', [...ACCESS_SOURCES, 'rules', 'hidden', 'open', 'unusable']],
    ['Consumers', [...Object.keys(schemas.consumersResponse.shape.consumers.element.shape), ...USES]],
    ['Deleted Secrets', Object.keys(schemas.deletedListResponse.shape.deleted.element.shape)],
    ['Restore a deleted Secret', Object.keys(restoreDeletedBody.shape)],
    ['Restart', [...Object.keys(restartBody.shape), ...FAILURES]],
    ['Pages of a list', Object.keys(pageQuery.shape)],
    ['Search', Object.keys(searchQuery.shape)],
    ['Delete', [...Object.keys(deleteQuery.shape), ...Object.keys(schemas.deletedResponse.shape)]],
  ])('names every field under %s, and no other', (heading, fields) => {
    expect([...firstCells(heading)].sort()).toEqual([...fields].sort());
  });

  it('names every field of a Secret, and no other', () => {
    const documented = firstCells('Fields of a Secret').filter(
      (cell) => /^[a-z]\w+$/i.test(cell) && cell !== 'Opaque',
    );
    const { secret } = schemas.detailResponse.shape;
    expect([...documented].sort()).toEqual(Object.keys(secret.shape).sort());
  });

  it('gives for each route of Secrets the statuses of the OpenAPI document', () => {
    const { paths = {} } = openApiDocument(apiRoutes(), '0');
    const secrets = '/api/namespaces/{namespace}/secrets';
    const deleted = '/api/namespaces/{namespace}/deleted';
    const expected: Readonly<Record<string, { readonly default?: object } | undefined>> = {
      Namespaces: paths['/api/namespaces']?.get?.responses,
      List: paths[secrets]?.get?.responses,
      Create: paths[secrets]?.post?.responses,
      Read: paths[`${secrets}/{name}`]?.get?.responses,
      Update: paths[`${secrets}/{name}`]?.put?.responses,
      Delete: paths[`${secrets}/{name}`]?.delete?.responses,
      'Deleted Secrets': paths[deleted]?.get?.responses,
      'Restore a deleted Secret': paths[`${deleted}/{uid}/restore`]?.post?.responses,
      'Remove a deleted Secret': paths[`${deleted}/{uid}`]?.delete?.responses,
      Versions: paths[`${secrets}/{name}/versions`]?.get?.responses,
      Restore: paths[`${secrets}/{name}/restore`]?.post?.responses,
      Access: paths[`${secrets}/{name}/access`]?.get?.responses,
      Consumers: paths[`${secrets}/{name}/consumers`]?.get?.responses,
      Restart: paths[`${secrets}/{name}/restart`]?.post?.responses,
    };
    for (const [heading, responses] of Object.entries(expected)) {
      const section = DOCUMENT.split(/^(?=## )/m).find((text) => text.startsWith(`## ${heading}\n`)) ?? '';
      const line = /^Statuses[^:]*: ([^.]*)\.$/m.exec(section)?.[1] ?? '';
      const { default: unexpected, ...declared } = responses ?? {};
      expect([heading, line.match(/\b\d{3}\b/g)]).toEqual([heading, Object.keys(declared)]);
      expect(unexpected, heading).toBeDefined();
    }
  });
});
