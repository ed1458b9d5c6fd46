import { isDeepStrictEqual } from 'node:util';
import { type ApiObject } from '../api/object.ts';
import { type FieldError } from '../api/status.ts';
import { listAt, objectAt, textAt, type Json } from '../json/json.ts';
import { invalidValue, notSupported, required } from '../validation/field-errors.ts';
import { pathSegment } from '../validation/names.ts';
import { type Kind } from './kind.ts';
import { anything, listOf, structOf, text } from './shape.ts';

export const RBAC_GROUP = 'rbac.authorization.k8s.io';

const RULE = structOf({
  verbs: listOf(text),
  apiGroups: listOf(text),
  resources: listOf(text),
  resourceNames: listOf(text),
  nonResourceURLs: listOf(text),
});
const SUBJECT = structOf({ kind: text, apiGroup: text, name: text, namespace: text });
const ROLE_REF = structOf({ apiGroup: text, kind: text, name: text });

export const ROLE = roleKind('Role', 'roles', true);
export const CLUSTER_ROLE = roleKind('ClusterRole', 'clusterroles', false);
export const ROLE_BINDING = bindingKind('RoleBinding', 'rolebindings', true);
export const CLUSTER_ROLE_BINDING = bindingKind('ClusterRoleBinding', 'clusterrolebindings', false);

function rbacKind(kind: string, resource: string, namespaced: boolean): Omit<Kind, 'fields'> {
  return {
    group: RBAC_GROUP,
    version: 'v1',
    kind,
    resource,
    namespaced,
    goPackage: 'rbac',
    nameRule: pathSegment,
    createOnUpdate: true,
  };
}

function roleKind(kind: string, resource: string, namespaced: boolean): Kind {
  return {
    ...rbacKind(kind, resource, namespaced),
    fields: {
      rules: { ...listOf(RULE), zero: null, omitZero: false },
      ...(namespaced ? {} : { aggregationRule: anything }),
    },
    validate: (draft) => listAt(draft, 'rules').flatMap((rule, index) => ruleErrors(rule, `rules[${index}]`)),
  };
}

function ruleErrors(rule: Json, field: string): readonly FieldError[] {
  const verbs =
    listAt(rule, 'verbs').length === 0
      ? [required(`${field}.verbs`, 'verbs must contain at least one value')]
      : [];
  if (listAt(rule, 'nonResourceURLs').length > 0) return verbs;
  const groups = listAt(rule, 'apiGroups').length > 0;
  const resources = listAt(rule, 'resources').length > 0;
  return [
    ...verbs,
    ...(groups ? [] : [required(`${field}.apiGroups`, 'resource rules must supply at least one api group')]),
    ...(resources
      ? []
      : [required(`${field}.resources`, 'resource rules must supply at least one resource')]),
  ];
}

function bindingKind(kind: string, resource: string, namespaced: boolean): Kind {
  return {
    ...rbacKind(kind, resource, namespaced),
    fields: { subjects: listOf(SUBJECT), roleRef: ROLE_REF },
    prepare: (draft) => withSubjectDefaults(draft),
    validate: (draft, previous) => [
      ...roleRefErrors(draft, previous, namespaced),
      ...listAt(draft, 'subjects').flatMap((subject, index) => subjectErrors(subject, `subjects[${index}]`)),
    ],
  };
}

function withSubjectDefaults(draft: ApiObject): ApiObject {
  const subjects = listAt(draft, 'subjects').map((subject) =>
    textAt(subject, 'kind') === 'ServiceAccount' ? subject : { apiGroup: RBAC_GROUP, ...objectAt(subject) },
  );
  const roleRef = { apiGroup: RBAC_GROUP, ...objectAt(draft, 'roleRef') };
  return { ...draft, ...(subjects.length === 0 ? {} : { subjects }), roleRef };
}

function roleRefErrors(
  draft: ApiObject,
  previous: ApiObject | undefined,
  namespaced: boolean,
): readonly FieldError[] {
  if (previous !== undefined && !isDeepStrictEqual(draft['roleRef'], previous['roleRef'])) {
    return [invalidValue('roleRef', '', 'cannot change roleRef')];
  }
  const kinds = namespaced ? ['ClusterRole', 'Role'] : ['ClusterRole'];
  const kind = textAt(draft, 'roleRef', 'kind');
  return [
    ...(kinds.includes(kind) ? [] : [notSupported('roleRef.kind', kind, kinds)]),
    ...(textAt(draft, 'roleRef', 'name') === '' ? [required('roleRef.name')] : []),
  ];
}

function subjectErrors(subject: Json, field: string): readonly FieldError[] {
  const kind = textAt(subject, 'kind');
  const kinds = ['ServiceAccount', 'User', 'Group'];
  return [
    ...(textAt(subject, 'name') === '' ? [required(`${field}.name`)] : []),
    ...(kinds.includes(kind) ? [] : [notSupported(`${field}.kind`, kind, kinds)]),
    ...(kind === 'ServiceAccount' && textAt(subject, 'namespace') === ''
      ? [required(`${field}.namespace`)]
      : []),
  ];
}
