import { rulesFor, type Attributes, type Authorize } from '../access/authorizer.ts';
import { type ApiRequest } from '../api/request.ts';
import { invalid } from '../api/status.ts';
import { jsonResponse, type ApiResponse } from '../http/api-response.ts';
import type { User } from '../access/user.ts';
import { asText, listAt, objectAt, textAt, type Json, type JsonObject } from '../json/json.ts';
import { required } from '../validation/field-errors.ts';
import { type ResourceContext } from './context.ts';
import { bodyOf } from './incoming.ts';

type Review = (context: ResourceContext, request: ApiRequest) => ApiResponse;

/** A review, by its group and plural name. */
const REVIEWS: ReadonlyMap<string, Review> = new Map<string, Review>([
  ['authorization.k8s.io/selfsubjectaccessreviews', reviewOwnAccess],
  ['authorization.k8s.io/selfsubjectrulesreviews', reviewOwnRules],
  ['authorization.k8s.io/subjectaccessreviews', reviewAccessOf],
  ['authentication.k8s.io/selfsubjectreviews', reviewSelf],
]);

/** Answers the POST of a review; undefined for every other request. */
export function review(context: ResourceContext, request: ApiRequest): ApiResponse | undefined {
  const { group, resource, verb } = request.info;
  const reviewOf = verb === 'create' ? REVIEWS.get(`${group}/${resource}`) : undefined;
  return reviewOf?.(context, request);
}

/** SelfSubjectAccessReview: may I? */
function reviewOwnAccess({ authorize }: ResourceContext, request: ApiRequest): ApiResponse {
  const spec = objectAt(bodyOf(request), 'spec') ?? {};
  return reviewed('SelfSubjectAccessReview', spec, authorize, request.user);
}

/** SubjectAccessReview: may this user, with these groups? */
function reviewAccessOf({ authorize }: ResourceContext, request: ApiRequest): ApiResponse {
  const spec = objectAt(bodyOf(request), 'spec') ?? {};
  const user = { name: textAt(spec, 'user'), groups: listAt(spec, 'groups').map(asText) };
  if (user.name === '' && user.groups.length === 0) {
    throw invalid({ group: 'authorization.k8s.io', kind: 'SubjectAccessReview' }, [
      required('spec.user', 'at least one of user or group must be specified'),
    ]);
  }
  return reviewed('SubjectAccessReview', spec, authorize, user);
}

/** SelfSubjectRulesReview: what may I do in this namespace? */
function reviewOwnRules({ store }: ResourceContext, request: ApiRequest): ApiResponse {
  const namespace = textAt(bodyOf(request), 'spec', 'namespace');
  const rules = rulesFor(store, request.user, namespace);
  const isOfPaths = (rule: Json): boolean => listAt(rule, 'nonResourceURLs').length > 0;
  const [resourceRules, nonResourceRules] = [
    rules.filter((rule) => !isOfPaths(rule)),
    rules.filter(isOfPaths),
  ];
  return answer('SelfSubjectRulesReview', {
    spec: {},
    status: { resourceRules, nonResourceRules, incomplete: false },
  });
}

/** SelfSubjectReview: who am I? */
function reviewSelf(_context: ResourceContext, { user }: ApiRequest): ApiResponse {
  const status = { userInfo: { username: user.name, groups: [...user.groups] } };
  return answer('SelfSubjectReview', { status }, 'authentication.k8s.io/v1');
}

function reviewed(kind: string, spec: JsonObject, authorize: Authorize, user: User): ApiResponse {
  const by = authorize(user, attributesOf(kind, spec));
  const reason = by === undefined || by === '' ? {} : { reason: by };
  return answer(kind, { spec, status: { allowed: by !== undefined, ...reason } });
}

function answer(kind: string, fields: JsonObject, apiVersion = 'authorization.k8s.io/v1'): ApiResponse {
  return jsonResponse(201, { kind, apiVersion, metadata: {}, ...fields });
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
