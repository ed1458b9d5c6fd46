import { type ApiObject } from '../api/object.ts';
import { type RequestInfo } from '../api/request-info.ts';
import { ApiError, forbidden } from '../api/status.ts';
import { asText, listAt, textAt, type Json } from '../json/json.ts';
import { CLUSTER_ROLE, CLUSTER_ROLE_BINDING, ROLE, ROLE_BINDING } from '../kinds/roles.ts';
import { type Store } from '../store/store.ts';
import { MASTERS, type User } from './user.ts';

/** The part of a request that rights are about. */
export type Attributes = Pick<
  RequestInfo,
  'isResource' | 'verb' | 'group' | 'resource' | 'subresource' | 'namespace' | 'name' | 'path'
>;

/** What allowed a request ("RBAC: allowed by …"), or undefined when nothing does. */
export type Authorize = (user: User, attributes: Attributes) => string | undefined;

/** Role-based access control over the roles and bindings of the store. There are only grants, never denials. */
export function createAuthorizer(store: Store): Authorize {
  return (user, attributes) => {
    if (user.groups.includes(MASTERS)) return '';
    for (const [binding, rules] of grants(store, user, attributes.namespace)) {
      if (rules.some((rule) => allows(rule, attributes))) return `RBAC: allowed by ${binding}`;
    }
    return undefined;
  };
}

/** 403, worded like the cluster: who, what, where. */
export function denial(user: User, attributes: Attributes): ApiError {
  const who = `User ${JSON.stringify(user.name)}`;
  if (!attributes.isResource) {
    const what = `${attributes.verb} path ${JSON.stringify(attributes.path)}`;
    return new ApiError(403, 'Forbidden', `forbidden: ${who} cannot ${what}`, { details: {} });
  }
  const resource =
    attributes.subresource === '' ? attributes.resource : `${attributes.resource}/${attributes.subresource}`;
  const scope =
    attributes.namespace === ''
      ? 'at the cluster scope'
      : `in the namespace ${JSON.stringify(attributes.namespace)}`;
  const why = `${who} cannot ${attributes.verb} resource ${JSON.stringify(resource)} in API group ${JSON.stringify(attributes.group)} ${scope}`;
  return forbidden({ group: attributes.group, kind: attributes.resource, name: attributes.name }, why);
}

/** The rules that apply to a user in a namespace, and those of the whole cluster. */
export function rulesFor(store: Store, user: User, namespace: string): readonly Json[] {
  if (user.groups.includes(MASTERS)) return EVERYTHING;
  return [...grants(store, user, namespace)].flatMap(([, rules]) => rules);
}

const EVERYTHING: readonly Json[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

function* grants(store: Store, user: User, namespace: string): Generator<readonly [string, readonly Json[]]> {
  for (const [, binding] of store.entries(CLUSTER_ROLE_BINDING, '')) {
    if (binds(binding, user, ''))
      yield [`ClusterRoleBinding "${binding.metadata.name}"`, rulesOf(store, binding, '')];
  }
  if (namespace === '') return;
  for (const [, binding] of store.entries(ROLE_BINDING, namespace)) {
    if (binds(binding, user, namespace)) {
      yield [`RoleBinding "${binding.metadata.name}/${namespace}"`, rulesOf(store, binding, namespace)];
    }
  }
}

function binds(binding: ApiObject, user: User, namespace: string): boolean {
  return listAt(binding, 'subjects').some((subject) => {
    const name = textAt(subject, 'name');
    switch (textAt(subject, 'kind')) {
      case 'User':
        return name === user.name;
      case 'Group':
        return user.groups.includes(name);
      case 'ServiceAccount': {
        const home = textAt(subject, 'namespace');
        return `system:serviceaccount:${home === '' ? namespace : home}:${name}` === user.name;
      }
      default:
        return false;
    }
  });
}

function rulesOf(store: Store, binding: ApiObject, namespace: string): readonly Json[] {
  const name = textAt(binding, 'roleRef', 'name');
  const isRole = textAt(binding, 'roleRef', 'kind') === 'Role';
  const role = isRole ? store.get(ROLE, namespace, name) : store.get(CLUSTER_ROLE, '', name);
  return listAt(role, 'rules');
}

function allows(rule: Json, attributes: Attributes): boolean {
  const names = (field: string, ...accepted: string[]): boolean =>
    listAt(rule, field).some((value) => value === '*' || accepted.includes(asText(value)));
  if (!names('verbs', attributes.verb)) return false;
  if (!attributes.isResource)
    return listAt(rule, 'nonResourceURLs').some((url) => coversPath(asText(url), attributes.path));
  const resources =
    attributes.subresource === ''
      ? [attributes.resource]
      : [`${attributes.resource}/${attributes.subresource}`, `*/${attributes.subresource}`];
  const only = listAt(rule, 'resourceNames');
  return (
    names('apiGroups', attributes.group) &&
    names('resources', ...resources) &&
    (only.length === 0 || (attributes.name !== '' && only.includes(attributes.name)))
  );
}

function coversPath(url: string, path: string): boolean {
  return url === path || (url.endsWith('*') && path.startsWith(url.slice(0, -1)));
}
