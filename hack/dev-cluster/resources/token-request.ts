import { type ApiRequest } from '../api/request.ts';
import { badRequest, invalid, notFound } from '../api/status.ts';
import { API_AUDIENCE, type JudgeToken } from '../access/authenticator.ts';
import { issueToken, type AccountClaims } from '../access/tokens.ts';
import { jsonResponse, type ApiResponse } from '../http/api-response.ts';
import { asText, at, listAt, objectAt, textAt, type Json, type JsonObject } from '../json/json.ts';
import { resourceSubject } from '../kinds/kind.ts';
import { POD } from '../kinds/installation.ts';
import { SERVICE_ACCOUNT } from '../kinds/service-account.ts';
import { wholeSeconds } from '../kinds/times.ts';
import { invalidPlain } from '../validation/field-errors.ts';
import { type ResourceContext } from './context.ts';
import { bodyOf } from './incoming.ts';

const SHORTEST_SECONDS = 600;
const DEFAULT_SECONDS = 3600;

export interface TokenParts {
  readonly tokenKey: Buffer;
  readonly judge: JudgeToken;
}

/** POST on a service account's `token`: a token that speaks for it. */
export function requestToken(
  context: ResourceContext,
  { tokenKey }: Pick<TokenParts, 'tokenKey'>,
  request: ApiRequest,
): ApiResponse {
  const { namespace, name } = request.info;
  const body = bodyOf(request);
  const seconds = secondsOf(body);
  const account = context.store.get(SERVICE_ACCOUNT, namespace, name);
  if (account === undefined) throw notFound(resourceSubject(SERVICE_ACCOUNT, name));
  const issued = context.now();
  const expires = new Date(issued.getTime() + seconds * 1000);
  const requested = listAt(body, 'spec', 'audiences').map(asText);
  const audiences = requested.length === 0 ? [API_AUDIENCE] : requested;
  const claims = { namespace, name, uid: account.metadata.uid, ...boundPod(context, request) };
  const token = issueToken(tokenKey, claims, { issued, expires }, audiences);
  return jsonResponse(201, {
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { name, namespace, creationTimestamp: wholeSeconds(issued) },
    spec: {
      audiences,
      expirationSeconds: seconds,
      boundObjectRef: objectAt(body, 'spec', 'boundObjectRef') ?? null,
    },
    status: { token, expirationTimestamp: wholeSeconds(expires) },
  });
}

/** The pod that a token is bound to, as the kubelet's are. */
function boundPod({ store }: ResourceContext, request: ApiRequest): Pick<AccountClaims, 'pod'> {
  const reference = objectAt(bodyOf(request), 'spec', 'boundObjectRef');
  if (reference === undefined) return {};
  const kind = textAt(reference, 'kind');
  if (kind !== 'Pod') throw badRequest(`cannot bind token to object of type ${kind}`);
  const { namespace, name: account } = request.info;
  const name = textAt(reference, 'name');
  const pod = store.get(POD, namespace, name);
  if (pod === undefined) throw notFound(resourceSubject(POD, name));
  if (textAt(pod, 'spec', 'serviceAccountName') !== account) {
    const rule = 'to pod running with different serviceaccount name.';
    throw badRequest(`cannot bind token for serviceaccount ${JSON.stringify(account)} ${rule}`);
  }
  return { pod: { name, uid: pod.metadata.uid } };
}

/** TokenReview: whom does this token speak for, to these audiences? */
export function reviewToken({ judge }: Pick<TokenParts, 'judge'>, request: ApiRequest): ApiResponse {
  const spec = objectAt(bodyOf(request), 'spec') ?? {};
  const text = textAt(spec, 'token');
  if (text === '') throw badRequest('token is required for TokenReview in authentication');
  const wanted = listAt(spec, 'audiences').map(asText);
  const verdict = judge(text, wanted.length === 0 ? [API_AUDIENCE] : wanted);
  const kind = { kind: 'TokenReview', apiVersion: 'authentication.k8s.io/v1', metadata: {}, spec };
  if ('error' in verdict) return jsonResponse(201, { ...kind, status: { user: {}, error: verdict.error } });
  const { user, audiences, token } = verdict;
  const { uid, pod } = token?.account ?? {};
  const known = (name: string, value: string | undefined): JsonObject =>
    value === undefined ? {} : { [`authentication.kubernetes.io/${name}`]: [value] };
  const extra = {
    ...known('credential-id', token && `JTI=${token.id}`),
    ...known('pod-name', pod?.name),
    ...known('pod-uid', pod?.uid),
  };
  const info = { username: user.name, groups: [...user.groups], ...(uid !== undefined && { uid, extra }) };
  return jsonResponse(201, {
    ...kind,
    status: { authenticated: true, user: info, audiences: [...audiences] },
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
