import { type Attributes, type Authorize } from '../access/authorizer.ts';
import { type ApiRequest } from '../api/request.ts';
import { invalid } from '../api/status.ts';
import { jsonResponse, type ApiResponse } from '../http/api-response.ts';
import { objectAt, textAt, type JsonObject } from '../json/json.ts';
import { parseBody } from '../kinds/decode.ts';
import { required } from '../validation/field-errors.ts';
import { requireJson } from './incoming.ts';

const SUBJECT = { group: 'authorization.k8s.io', kind: 'SelfSubjectAccessReview' };

/** POST of a SelfSubjectAccessReview: may I? */
export function reviewAccess(authorize: Authorize, request: ApiRequest): ApiResponse {
  requireJson(request);
  const spec = objectAt(parseBody(request.body), 'spec') ?? {};
  const by = authorize(request.user, attributesOf(spec));
  const reason = by === undefined || by === '' ? {} : { reason: by };
  return jsonResponse(201, {
    kind: SUBJECT.kind,
    apiVersion: `${SUBJECT.group}/v1`,
    metadata: {},
    spec,
    status: { allowed: by !== undefined, ...reason },
  });
}

function attributesOf(spec: JsonObject): Attributes {
  const resource = objectAt(spec, 'resourceAttributes');
  const other = objectAt(spec, 'nonResourceAttributes');
  if ((resource === undefined) === (other === undefined)) {
    throw invalid(SUBJECT, [
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
