import { type ApiRequest } from '../api/request.ts';
import { badRequest, invalid, notFound } from '../api/status.ts';
import { issueToken } from '../access/tokens.ts';
import { jsonResponse, type ApiResponse } from '../http/api-response.ts';
import { at, listAt, type Json } from '../json/json.ts';
import { resourceSubject } from '../kinds/kind.ts';
import { SERVICE_ACCOUNT } from '../kinds/service-account.ts';
import { wholeSeconds } from '../kinds/times.ts';
import { invalidPlain } from '../validation/field-errors.ts';
import { type ResourceContext } from './context.ts';
import { bodyOf } from './incoming.ts';

const SHORTEST_SECONDS = 600;
const DEFAULT_SECONDS = 3600;
const AUDIENCE = 'https://kubernetes.default.svc.cluster.local';

/** POST on a service account's `token`: a token that speaks for it. */
export function requestToken(context: ResourceContext, tokenKey: Buffer, request: ApiRequest): ApiResponse {
  const { namespace, name } = request.info;
  const body = bodyOf(request);
  const seconds = secondsOf(body);
  const account = context.store.get(SERVICE_ACCOUNT, namespace, name);
  if (account === undefined) throw notFound(resourceSubject(SERVICE_ACCOUNT, name));
  const issued = context.now();
  const expires = new Date(issued.getTime() + seconds * 1000);
  const requested = listAt(body, 'spec', 'audiences').map(String);
  const audiences = requested.length === 0 ? [AUDIENCE] : requested;
  const claims = { namespace, name, uid: account.metadata.uid };
  const token = issueToken(tokenKey, claims, { issued, expires }, audiences);
  return jsonResponse(201, {
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { name, namespace, creationTimestamp: wholeSeconds(issued) },
    spec: { audiences, expirationSeconds: seconds, boundObjectRef: null },
    status: { token, expirationTimestamp: wholeSeconds(expires) },
  });
}

function secondsOf(body: Json): number {
  const seconds = at(body, 'spec', 'expirationSeconds') ?? DEFAULT_SECONDS;
  if (typeof seconds !== 'number') throw badRequest('spec.expirationSeconds must be a number');
  if (seconds >= SHORTEST_SECONDS) return seconds;
  const rule = 'may not specify a duration less than 10 minutes';
  const subject = { group: 'authentication.k8s.io', kind: 'TokenRequest' };
  throw invalid(subject, [invalidPlain('spec.expirationSeconds', seconds, rule)]);
}
