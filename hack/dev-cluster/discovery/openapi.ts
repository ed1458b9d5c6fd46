import { type Json, type JsonObject } from '../json/json.ts';
import { apiVersionOf, type Kind } from '../kinds/kind.ts';
import { KINDS } from '../kinds/registry.ts';
import { groupVersions } from './documents.ts';

/**
 * As much of the OpenAPI v3 documents as kubectl needs: that the kinds exist, and that PATCH takes
 * `fieldValidation` (so kubectl leaves validation to the server). There are no schemas.
 */
export function openapiDocuments(): ReadonlyMap<string, Json> {
  const versions = groupVersions();
  const root = Object.fromEntries(
    versions.map((version) => {
      const path = pathOf(version);
      return [path, { serverRelativeURL: `/openapi/v3/${path}?hash=development` }];
    }),
  );
  return new Map<string, Json>([
    ['/openapi/v3', { paths: root }],
    ...versions.map((version) => [`/openapi/v3/${pathOf(version)}`, documentOf(version)] as const),
  ]);
}

function pathOf(version: string): string {
  return version.includes('/') ? `apis/${version}` : `api/${version}`;
}

function documentOf(version: string): JsonObject {
  const kinds = KINDS.filter((kind) => apiVersionOf(kind) === version);
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'v1.36.2' },
    paths: Object.fromEntries(kinds.map((kind) => [itemPath(kind), itemOf(kind)])),
    components: { schemas: {} },
  };
}

function itemPath(kind: Kind): string {
  const scope = kind.namespaced ? '/namespaces/{namespace}' : '';
  return `/${pathOf(apiVersionOf(kind))}${scope}/${kind.resource}/{name}`;
}

function itemOf(kind: Kind): JsonObject {
  const about = { group: kind.group, version: kind.version, kind: kind.kind };
  const parameters = ['dryRun', 'fieldManager', 'fieldValidation'].map((name) => ({
    name,
    in: 'query',
    schema: { type: 'string', uniqueItems: true },
  }));
  return { patch: { 'x-kubernetes-group-version-kind': about, parameters, responses: {} } };
}
