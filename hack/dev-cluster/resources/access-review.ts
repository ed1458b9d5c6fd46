import { type Attributes, type Authorize } from '../access/authorizer.ts';
import { type ApiRequest } from '../api/request.ts';
import { invalid } from '../api/status.ts';
import { jsonResponse, type ApiResponse } from '../http/api-response.ts';
import type { User } from '../access/user.ts';
import { asText, listAt, objectAt, textAt, type JsonObject } from '../json/json.ts';
import { parseBody } from '../kinds/decode.ts';
import { required } from '../validation/field-errors.ts';
import { requireJson } from './incoming.ts';

/** A review, by its group and plural name. */
const REVIEWS: ReadonlyMap<string, (authorize: Authorize, request: ApiRequest) => ApiResponse> = new Map([
  ['authorization.k8s.io/selfsubjectaccessreviews', reviewOwnAccess],
  ['authorization.k8s.io/subjectaccessreviews', reviewAccessOf],
  ['authentication.k8s.io/selfsubjectreviews', reviewSelf],
]);

/** Answers the POST of a review; undefined for every other request. */
export function review(authorize: Authorize, request: ApiRequest): ApiResponse | undefined {
  const { group, resource, verb } = request.info;
  const answer = verb === 'create' ? REVIEWS.get(`${group}/${resource}`) : undefined;
  if (answer === undefined) return undefined;
  requireJson(request);
  return answer(authorize, request);
}

/** SelfSubjectAccessReview: may I? */
function reviewOwnAccess(authorize: Authorize, request: ApiRequest): ApiResponse {
  const spec = objectAt(parseBody(request.body), 'spec') ?? {};
  return reviewed('SelfSubjectAccessReview', spec, authorize, request.user);
}

/** SubjectAccessReview: may this user, with these groups? */
function reviewAccessOf(authorize: Authorize, request: ApiRequest): ApiResponse {
  const spec = objectAt(parseBody(request.body), 'spec') ?? {};
  const user = { name: textAt(spec, 'user'), groups: listAt(spec, 'groups').map(asText) };
  if (user.name === '' && user.groups.length === 0) {
    throw invalid({ group: 'authorization.k8s.io', kind: 'SubjectAccessReview' }, [
      required('spec.user', 'at least one of user or group must be specified'),
    ]);
  }
  return reviewed('SubjectAccessReview', spec, authorize, user);
}

/** SelfSubjectReview: who am I? */
function reviewSelf(_authorize: Authorize, { user }: ApiRequest): ApiResponse {
  return jsonResponse(201, {
    kind: 'SelfSubjectReview',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: {},
    status: { userInfo: { username: user.name, groups: [...user.groups] } },
  });
}

function reviewed(kind: string, spec: JsonObject, authorize: Authorize, user: User): ApiResponse {
  const by = authorize(user, attributesOf(kind, spec));
  const reason = by === undefined || by === '' ? {} : { reason: by };
  return jsonResponse(201, {
    kind,
    apiVersion: 'authorization.k8s.io/v1',
    metadata: {},
    spec,
    status: { allowed: by !== undefined, ...reason },
  });
}

function attributesOf(kind: string, spec: JsonObject): Attributes {
  const resource = objectAt(spec, 'resourceAttributes');
  const other = objectAt(spec, 'nonResourceAttributes');
  if ((resource === undefined) === (other === undefined)) {
    throw invalid({ group: 'authorization.k8s.io', kind }, [
      required(
        'spec.resourceAttributes',
        'exactly one of nonResourceAttributes or resourceAttributes must be specified',
      ),
    ]);
  }
  return {
    isResource: resource !== undefined,
    verb: textAt(resource ?? other, 'verb'),
    group: textAt(resource, 'group'),
    resource: textAt(resource, 'resource'),
    subresource: textAt(resource, 'subresource'),
    namespace: textAt(resource, 'namespace'),
    name: textAt(resource, 'name'),
    path: textAt(other, 'path'),
  };
}
