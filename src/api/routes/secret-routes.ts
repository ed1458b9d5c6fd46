import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../errors/service-error.ts';
import { parseVersion } from '../../kube/version-counter.ts';
import type { Authorizer } from '../../access/authorizer.ts';
import type { ListSource } from '../../secrets/list-secrets.ts';
import { isSecretName } from '../../contract/names.ts';
import type { SecretsService } from '../../secrets/secrets-service.ts';
import { parseDeleteQuery } from './delete-query.ts';
import type { Route } from '../http/routes.ts';
import { deleteJson, detailJson, versionJson } from './secret-json.ts';
import { COLLECTION, NAMED } from './secret-paths.ts';
import { parseCreate, parseRestore, parseUpdate } from './secret-schemas.ts';

const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' };

const READ_BUDGET_MS = 15_000;
const WRITE_BUDGET_MS = 30_000;
/** A deletion confirms the absence of every snapshot, one after the other. */
const DELETE_BUDGET_MS = 55_000;

/** The namespaced secrets API: one row per route, in the order of the contract. */
export function secretRoutes(secrets: SecretsService, authorizer: Authorizer): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/api/namespaces',
      access: 'session',
      budgetMs: READ_BUDGET_MS,
      async handle({ actor, call }) {
        return { status: 200, json: { namespaces: await authorizer.namespaces(actor, call) } };
      },
    },
    {
      method: 'GET',
      path: COLLECTION,
      access: 'namespace',
      action: 'secret.list',
      sharesWork: true,
      budgetMs: READ_BUDGET_MS,
      async handle({ request, actor, namespace, call }) {
        const { body, from } = await secrets.list(actor, namespace, { live: wantsLive(request) }, call);
        return { status: 200, bytes: body, headers: { ...JSON_TYPE, ...sourceHeaders(from) } };
      },
    },
    {
      method: 'POST',
      path: COLLECTION,
      access: 'namespace',
      action: 'secret.create',
      body: 'json',
      budgetMs: WRITE_BUDGET_MS,
      async handle({ actor, namespace, body, call, audit }) {
        const request = () => {
          const parsed = parseCreate(body);
          if (isSecretName(parsed.name)) audit.name = parsed.name;
          return parsed;
        };
        const secret = await secrets.create(actor, namespace, request, call);
        audit.version = secret.version;
        return { status: 201, json: { secret } };
      },
    },
    {
      method: 'GET',
      path: NAMED,
      access: 'secret',
      action: 'secret.read',
      budgetMs: READ_BUDGET_MS,
      handle({ secret }) {
        return Promise.resolve({ status: 200, json: { secret: detailJson(secrets.read(secret)) } });
      },
    },
    {
      method: 'PUT',
      path: NAMED,
      access: 'secret',
      action: 'secret.update',
      body: 'json',
      budgetMs: WRITE_BUDGET_MS,
      async handle({ secret, body, call, audit }) {
        const detail = await secrets.update(secret, parseUpdate(body), call);
        audit.version = detail.summary.version;
        return { status: 200, json: { secret: detailJson(detail) } };
      },
    },
    {
      method: 'DELETE',
      path: NAMED,
      access: 'secret',
      action: 'secret.delete',
      budgetMs: DELETE_BUDGET_MS,
      async handle({ secret, query, call, audit }) {
        const result = await secrets.delete(secret, parseDeleteQuery(query), call);
        audit.history = result.history;
        return { status: result.status === 'pending' ? 202 : 200, json: deleteJson(result) };
      },
    },
    {
      method: 'GET',
      path: `${NAMED}/versions`,
      access: 'secret',
      action: 'secret.versions',
      budgetMs: READ_BUDGET_MS,
      async handle({ secret, call }) {
        return { status: 200, json: await secrets.listVersions(secret, call) };
      },
    },
    {
      method: 'GET',
      path: `${NAMED}/versions/:version`,
      access: 'secret',
      action: 'secret.version.read',
      budgetMs: READ_BUDGET_MS,
      async handle({ secret, version, call, audit }) {
        const wanted = requireVersion(version);
        audit.version = wanted;
        return {
          status: 200,
          json: { version: versionJson(await secrets.readVersion(secret, wanted, call)) },
        };
      },
    },
    {
      method: 'POST',
      path: `${NAMED}/restore`,
      access: 'secret',
      action: 'secret.restore',
      body: 'json',
      budgetMs: WRITE_BUDGET_MS,
      async handle({ secret, body, call, audit }) {
        const request = parseRestore(body);
        audit.version = request.version;
        return { status: 200, json: { secret: detailJson(await secrets.restore(secret, request, call)) } };
      },
    },
  ];
}

/** RFC 9111, section 5.2.1.4: the client does not want an answer that was not validated just now. */
function wantsLive({ headers }: IncomingMessage): boolean {
  return /(^|,)\s*no-cache\s*($|[,=])/i.test(headers['cache-control'] ?? '');
}

function sourceHeaders(from: ListSource): Readonly<Record<string, string>> {
  if (from.source === 'live') return { 'X-List-Source': 'live' };
  return { 'X-List-Source': 'cache', Age: String(Math.floor(from.ageMs / 1_000)) };
}

function requireVersion(segment: string | undefined): number {
  const version = parseVersion(segment);
  if (version !== undefined && version > 0) return version;
  throw new ServiceError('invalidRequest', 'version must be a whole number of at least 1');
}
