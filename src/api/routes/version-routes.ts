import { json, secretRoute, type ApiRoute } from '../runner/route.ts';
import { versionResponse, versionsResponse } from './response-schemas.ts';
import { detailJson, NAMED, detailResponseOf, withValues, REPLACE_ERRORS } from './secret-record.ts';
import { restoreRequest } from './secret-schemas.ts';

/** The archived versions of a Secret, and their restore. */
export const versionRoutes: readonly ApiRoute[] = [
  secretRoute({
    method: 'GET',
    path: `${NAMED}/versions`,
    level: 'read',
    action: 'secret.versions',
    operationId: 'listVersions',
    tag: 'History',
    summary: 'List the archived versions, without values',
    description: 'Of this very object, newest first by the revisions that are archived.',
    responses: { 200: json('The versions.', versionsResponse) },
    errors: ['historyUnavailable'],
    async handle({ services: { secrets }, secret, deadline }) {
      return { status: 200, json: await secrets.listVersions(secret, deadline) };
    },
  }),
  secretRoute({
    method: 'GET',
    path: `${NAMED}/versions/:version`,
    level: 'read',
    action: 'secret.version.read',
    operationId: 'getVersion',
    tag: 'History',
    summary: 'Read an archived version with its values',
    description: 'The access rules of the live Secret decide who may see it.',
    responses: { 200: json('The version with its values.', versionResponse) },
    errors: ['historyUnavailable'],
    async handle({ services: { secrets }, secret, version, deadline }) {
      const archived = await secrets.readVersion(secret, version(), deadline);
      return { status: 200, json: { version: detailJson(archived) } };
    },
  }),
  secretRoute({
    method: 'POST',
    path: `${NAMED}/restore`,
    level: 'write',
    action: 'secret.restore',
    body: restoreRequest,
    operationId: 'restoreVersion',
    tag: 'History',
    summary: 'Restore the values of an archived version as a new version',
    description: 'Replaces all values and nothing else. The live state is archived first, as by an update.',
    responses: { 200: withValues('The new state with its values.') },
    errors: REPLACE_ERRORS,
    async handle({ services: { secrets }, secret, input, deadline, audit }) {
      const request = input();
      audit.version = request.version;
      return detailResponseOf(await secrets.restore(secret, request, deadline));
    },
  }),
];
