import * as z from 'zod';
import { isSecretName } from '../../contract/names.ts';
import type { KeyValue } from '../../secrets/secret-view.ts';
import {
  BYTES,
  json,
  namespaceRoute,
  secretRoute,
  type ApiRoute,
  type RequestContext,
} from '../runner/route.ts';
import { nameMachine } from '../runner/sender.ts';
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

/** What both routes of one value share. */
const KEY_RECORD = {
  method: 'GET',
  level: 'read',
  action: 'secret.reveal',
  describes: ({ request }: Pick<RequestContext, 'request'>) => request.method === 'HEAD',
  errors: ['crossSite'],
  responses: {
    200: {
      description: 'The bytes of the value, as they are stored.',
      content: BYTES,
      headers: z.object({
        'Content-Disposition': z.string().describe('A download with a safe name.'),
        'X-Resource-Version': z
          .string()
          .describe('The revision that has this value: the live one, or the one that the version archives.'),
      }),
    },
  },
} as const;

/** Create, read, update and delete; and one value at a time, live or archived. */
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
      const onActor = nameMachine.bind(undefined, audit);
      const detail = await secrets.update(secret, { ...request, onActor }, deadline);
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
  secretRoute({
    ...KEY_RECORD,
    path: `${NAMED}/keys/:key`,
    operationId: 'getKey',
    tag: 'Secrets',
    summary: 'Read one value, byte for byte',
    description: 'Read from the cluster at this moment. HEAD has the headers alone.',
    handle: ({ services: { secrets }, secret, key = '' }) => download(key, secrets.readKey(secret, key)),
  }),
  secretRoute({
    ...KEY_RECORD,
    path: `${NAMED}/versions/:version/keys/:key`,
    operationId: 'getVersionKey',
    tag: 'History',
    summary: 'Read one value of an archived version, byte for byte',
    description: 'The access rules of the live Secret decide who may see it. HEAD has the headers alone.',
    errors: ['crossSite', 'historyUnavailable'],
    async handle({ services: { secrets }, secret, version, key = '', deadline }) {
      return download(key, await secrets.readVersionKey(secret, { version: version(), key }, deadline));
    },
  }),
];

/** Never a page, a script or an image of this origin: a browser saves it, whatever it holds. */
function download(key: string, { bytes: { buffer, byteOffset, byteLength }, resourceVersion }: KeyValue) {
  return {
    status: 200,
    bytes: Buffer.from(buffer, byteOffset, byteLength),
    headers: {
      'Content-Type': 'application/octet-stream',
      'Content-Disposition': `attachment; filename="${fileNameOf(key)}"`,
      'X-Resource-Version': resourceVersion,
    },
  } as const;
}

/** Valid keys need no quoting. A file that begins with a dot would be hidden, and with a hyphen taken for an option. */
const fileNameOf = (key: string): string => key.replace(/^[.-]/, '_');
