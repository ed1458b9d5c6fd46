import { isSecretName } from '../../contract/names.ts';
import type { SecretsService } from '../../secrets/secrets-service.ts';
import { deletedRoute, namespaceRoute, type ApiRoute } from '../http/route.ts';
import { json } from '../http/route-response.ts';
import { SUMMARY, UID } from './examples.ts';
import { deletedListResponse, removedResponse, summaryResponse } from './response-schemas.ts';
import { DELETED } from './secret-paths.ts';
import { restoreDeletedRequest } from './secret-schemas.ts';
import { WARNING_HEADERS, warningHeaders } from './warnings.ts';

const LIST_BUDGET_MS = 15_000;
const RESTORE_BUDGET_MS = 30_000;
/** As a deletion: snapshots are removed one after the other. */
const REMOVE_BUDGET_MS = 55_000;

const { name, type, keys, keyCount, binaryKeys, description, version, allowedGroups, allowedUsers } = SUMMARY;

type Deleted = Pick<SecretsService, 'deleted'>;

/** Secrets that were deleted and archived: the list, a restore as a new Secret, the removal of all snapshots. */
export function deletedRoutes(secrets: Deleted): readonly ApiRoute[] {
  return [listDeletedRoute(secrets), restoreDeletedRoute(secrets), removeDeletedRoute(secrets)];
}

function listDeletedRoute(secrets: Deleted): ApiRoute {
  return namespaceRoute({
    method: 'GET',
    path: DELETED,
    access: 'namespace',
    action: 'secret.deleted.list',
    budgetMs: LIST_BUDGET_MS,
    operationId: 'listDeletedSecrets',
    tag: 'History',
    summary: 'List the deleted Secrets that can be restored, without values',
    description:
      'Those that were deleted with archive=true. The access rules that they had decide who may see them.',
    responses: {
      200: json({
        description: 'The deleted Secrets.',
        schema: deletedListResponse,
        example: {
          namespace: 'shared',
          deleted: [
            {
              ...{ name, uid: UID, type, keys, keyCount, binaryKeys, description, version },
              ...{ allowedGroups, allowedUsers },
              deletedBy: 'developer-a@example.com',
              deletedAt: '2026-03-04T05:06:10.089Z',
            },
          ],
        },
      }),
    },
    errors: [
      'historyUnavailable',
      'policyUnavailable',
      'listFailed',
      'listInconsistent',
      'listOverBudget',
      'expired',
    ],
    async handle({ actor, namespace, deadline }) {
      return {
        status: 200,
        json: { namespace, deleted: await secrets.deleted.list(actor, namespace, deadline) },
      };
    },
  });
}

function restoreDeletedRoute(secrets: Deleted): ApiRoute {
  return deletedRoute({
    method: 'POST',
    path: `${DELETED}/:uid/restore`,
    access: 'deleted',
    action: 'secret.deleted.restore',
    body: restoreDeletedRequest,
    budgetMs: RESTORE_BUDGET_MS,
    operationId: 'restoreDeletedSecret',
    tag: 'History',
    summary: 'Restore a deleted Secret as a new one',
    description:
      'With the type, values, description and access rules that it had, at version 1. Its history stays with the former UID.',
    responses: {
      201: json({
        description: 'The new Secret, without values.',
        headers: WARNING_HEADERS,
        schema: summaryResponse,
        example: { secret: SUMMARY },
      }),
    },
    errors: [
      'conflict',
      'exists',
      'invalidSecret',
      'rejected',
      'admissionRefused',
      'unavailable',
      'rightMissing',
      'uncertain',
    ],
    async handle({ deleted, input, deadline, audit }) {
      const request = () => {
        const parsed = input();
        if (parsed.name !== undefined && isSecretName(parsed.name)) audit.newName = parsed.name;
        return parsed;
      };
      const { summary: secret, warnings } = await secrets.deleted.restore(deleted, request, deadline);
      return { status: 201, json: { secret }, headers: warningHeaders(warnings) };
    },
  });
}

function removeDeletedRoute(secrets: Deleted): ApiRoute {
  return deletedRoute({
    method: 'DELETE',
    path: `${DELETED}/:uid`,
    access: 'deleted',
    action: 'secret.deleted.remove',
    budgetMs: REMOVE_BUDGET_MS,
    operationId: 'removeDeletedSecret',
    tag: 'History',
    summary: 'Remove a deleted Secret permanently',
    description: 'Removes all snapshots of its UID, once it is confirmed that the Secret no longer exists.',
    responses: {
      200: json({
        description: 'All snapshots are removed.',
        schema: removedResponse,
        example: { name: 'database', uid: UID, history: 'cleaned' },
      }),
    },
    errors: ['conflict', 'unavailable', 'rightMissing', 'responseTooLarge'],
    async handle({ deleted, deadline, audit }) {
      const removed = await secrets.deleted.remove(deleted, deadline);
      audit.history = removed.history;
      return { status: 200, json: removed };
    },
  });
}
