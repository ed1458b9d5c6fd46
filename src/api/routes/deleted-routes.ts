import { isSecretName } from '../../contract/names.ts';
import { invalidRequest } from '../../errors/service-error.ts';
import { jsonInSlices } from '../../timing/json-in-slices.ts';
import { deletedRoute, json, JSON_TYPE, namespaceRoute, type ApiRoute } from '../runner/route.ts';
import { pageOfSecrets, parseQuery } from './query-parameters.ts';
import { CLUSTER_ERRORS, DELETED, summaryResponseOf, withoutValues, WRITE_ERRORS } from './secret-record.ts';
import { deletedListResponse, removedResponse } from './response-schemas.ts';
import { restoreDeletedRequest } from './secret-schemas.ts';

/** As a deletion: snapshots are removed one after the other. */
const REMOVE_BUDGET_MS = 55_000;

/** Secrets that were deleted and archived: the list, a restore as a new Secret, the removal of all snapshots. */
export const deletedRoutes: readonly ApiRoute[] = [
  namespaceRoute({
    method: 'GET',
    path: DELETED,
    level: 'read',
    action: 'secret.deleted.list',
    operationId: 'listDeletedSecrets',
    tag: 'History',
    summary: 'List the deleted Secrets that can be restored, without values',
    description:
      'Those that were deleted with archive=true. The access rules that they had decide who may see them. Complete or an error; with `limit`, one page.',
    query: pageOfSecrets,
    responses: { 200: json('The deleted Secrets.', deletedListResponse) },
    errors: ['historyUnavailable', 'pageExpired'],
    async handle({ services: { secrets }, query, actor, namespace, deadline }) {
      const { limit, continue: token } = parseQuery(pageOfSecrets, query);
      if (token !== undefined && limit === undefined) throw invalidRequest('continue needs limit');
      const page = await secrets.deleted.list(actor, namespace, { limit, token }, deadline);
      const head = `{"namespace":${JSON.stringify(namespace)},"deleted":[`;
      const tail = page.continue === undefined ? ']}' : `],"continue":${JSON.stringify(page.continue)}}`;
      const items = page.deleted.values().map((item) => JSON.stringify(item));
      const bytes = await jsonInSlices(head, items, tail);
      return { status: 200, bytes, headers: JSON_TYPE };
    },
  }),
  deletedRoute({
    method: 'POST',
    path: `${DELETED}/:uid/restore`,
    level: 'manage',
    action: 'secret.deleted.restore',
    body: restoreDeletedRequest,
    operationId: 'restoreDeletedSecret',
    tag: 'History',
    summary: 'Restore a deleted Secret as a new one',
    description:
      'With the type, values, description and access rules that it had, at version 1. Its history stays with the former UID.',
    responses: { 201: withoutValues('The new Secret, without values.') },
    errors: [...WRITE_ERRORS, ...CLUSTER_ERRORS, 'conflict', 'exists'],
    async handle({ services: { secrets }, deleted, input, deadline, audit }) {
      const request = () => {
        const parsed = input();
        if (parsed.name !== undefined && isSecretName(parsed.name)) audit.newName = parsed.name;
        return parsed;
      };
      return summaryResponseOf(201, await secrets.deleted.restore(deleted, request, deadline));
    },
  }),
  deletedRoute({
    method: 'DELETE',
    path: `${DELETED}/:uid`,
    level: 'manage',
    action: 'secret.deleted.remove',
    budgetMs: REMOVE_BUDGET_MS,
    operationId: 'removeDeletedSecret',
    tag: 'History',
    summary: 'Remove a deleted Secret permanently',
    description: 'Removes all snapshots of its UID, once it is confirmed that the Secret no longer exists.',
    responses: { 200: json('All snapshots are removed.', removedResponse) },
    errors: [...CLUSTER_ERRORS, 'conflict', 'responseTooLarge'],
    async handle({ services: { secrets }, deleted, deadline, audit }) {
      const removed = await secrets.deleted.remove(deleted, deadline);
      audit.history = removed.history;
      return { status: 200, json: removed };
    },
  }),
];
