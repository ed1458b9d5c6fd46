import * as z from 'zod';
import { isSecretName } from '../../contract/names.ts';
import { namespaceRoute, secretRoute, type ApiRoute } from '../runner/route.ts';
import { json } from '../runner/route-response.ts';
import { deletedResponse, pendingResponse, readResponse } from './response-schemas.ts';
import {
  ARCHIVE_ERRORS,
  CLUSTER_ERRORS,
  deleteJson,
  detailResponseOf,
  summaryResponseOf,
  WARNING_HEADERS,
  withValues,
  withoutValues,
  COLLECTION,
  NAMED,
  REPLACE_ERRORS,
  WRITE_ERRORS,
} from './secret-record.ts';
import { flag, deleteQuery, parseDeleteQuery, parseQuery } from './query-parameters.ts';
import { createRequest, patchRequest, updateRequest } from './secret-schemas.ts';

/** A deletion confirms the absence of each snapshot, one after the other. */
const DELETE_BUDGET_MS = 55_000;

const readQuery = z.object({
  values: flag('true').optional().describe('`false` leaves the values out.'),
});

/** Create, read, update and delete. */
export const secretRoutes: readonly ApiRoute[] = [
  namespaceRoute({
    method: 'POST',
    path: COLLECTION,
    level: 'write',
    action: 'secret.create',
    body: createRequest,
    operationId: 'createSecret',
    tag: 'Secrets',
    summary: 'Create a Secret',
    description: 'Whoever the namespace rules allow may create. Nothing is written before all checks pass.',
    responses: { 201: withoutValues('The new Secret, without values.') },
    errors: [...WRITE_ERRORS, ...CLUSTER_ERRORS, 'exists', 'notFound', 'responseTooLarge'],
    async handle({ services: { secrets }, actor, namespace, input, deadline, audit }) {
      const request = () => {
        const parsed = input();
        if (isSecretName(parsed.name)) audit.name = parsed.name;
        return parsed;
      };
      const created = await secrets.create({ actor, namespace, request }, deadline);
      audit.version = created.summary.version;
      return summaryResponseOf(201, created);
    },
  }),
  secretRoute({
    method: 'GET',
    path: NAMED,
    level: 'read',
    action: 'secret.read',
    describes: ({ query }) => query.getAll('values').join() === 'false',
    operationId: 'getSecret',
    tag: 'Secrets',
    summary: 'Read a Secret with its values, or without',
    description: 'Read from the cluster now. An absent Secret, a snapshot and a hidden one look alike: 404.',
    query: readQuery,
    responses: { 200: json('The Secret.', readResponse, WARNING_HEADERS) },
    handle({ services: { secrets }, secret, query }) {
      const { values: withValues = true } = parseQuery(readQuery, query);
      return withValues
        ? detailResponseOf(secrets.read(secret))
        : summaryResponseOf(200, secrets.describe(secret));
    },
  }),
  secretRoute({
    method: 'PUT',
    path: NAMED,
    level: 'write',
    action: 'secret.update',
    body: updateRequest,
    operationId: 'updateSecret',
    tag: 'Secrets',
    summary: 'Update a Secret; its previous state is archived first',
    description: 'What is left out stays as it is. The revision must be the live one, otherwise 409.',
    responses: { 200: withValues('The new state with its values.') },
    errors: REPLACE_ERRORS,
    async handle({ services: { secrets }, secret, input, deadline, audit }) {
      const request = input();
      audit.accessLevel = secrets.updateLevel(secret, request);
      const detail = await secrets.update(secret, request, deadline);
      audit.version = detail.summary.version;
      return detailResponseOf(detail);
    },
  }),
  secretRoute({
    method: 'PATCH',
    path: NAMED,
    level: 'write',
    action: 'secret.update',
    body: patchRequest,
    operationId: 'patchSecret',
    tag: 'Secrets',
    summary: 'Change single keys of a Secret; its previous state is archived first',
    description:
      'An update whose request and response have no value but those that it sets. Other keys keep their bytes, binary ones too.',
    responses: { 200: withoutValues('The new state, without values.') },
    errors: REPLACE_ERRORS,
    async handle({ services: { secrets }, secret, input, deadline, audit }) {
      const { set = new Map(), setBinary = new Map(), remove = [], ...metadata } = input();
      const request = { ...metadata, patch: { set, setBinary, remove } };
      const detail = await secrets.update(secret, request, deadline);
      audit.version = detail.summary.version;
      return summaryResponseOf(200, detail);
    },
  }),
  secretRoute({
    method: 'DELETE',
    path: NAMED,
    level: 'manage',
    action: 'secret.delete',
    budgetMs: DELETE_BUDGET_MS,
    operationId: 'deleteSecret',
    tag: 'Secrets',
    summary: 'Delete a Secret and, by default, its history',
    description: 'Deletes exactly the loaded revision. What fails before that leaves the Secret in place.',
    query: deleteQuery,
    responses: {
      200: json('The Secret is gone.', deletedResponse),
      202: json('The Secret still exists: finalizers hold it.', pendingResponse),
    },
    errors: [...ARCHIVE_ERRORS, 'replaced', 'tooLarge', 'admissionRefused', 'uncertain'],
    async handle({ services: { secrets }, secret, query, deadline, audit }) {
      const result = await secrets.delete(secret, parseDeleteQuery(query), deadline);
      audit.history = result.history;
      const json = deleteJson(result);
      return json.status === 'pending' ? { status: 202, json } : { status: 200, json };
    },
  }),
];
