import { type IncomingHttpHeaders } from 'node:http';
import { denial, type Attributes, type Authorize } from './authorizer.ts';
import { AUTHENTICATED, serviceAccountUser, type User } from './user.ts';

const SERVICE_ACCOUNT = /^system:serviceaccount:([^:]+):([^:]+)$/;

/**
 * The user that a request acts as: its own, or with `kubectl --as` another, for which the own needs the verb impersonate.
 * @throws {ApiError} 403
 */
export function actingUser(user: User, headers: IncomingHttpHeaders, authorize: Authorize): User {
  const name = headers['impersonate-user'];
  if (typeof name !== 'string') return user;
  const groups = [headers['impersonate-group'] ?? []].flat();
  const account = SERVICE_ACCOUNT.exec(name);
  const [, namespace = '', accountName = ''] = account ?? [];
  const wanted = [
    account === null ? attributes('users', '', name) : attributes('serviceaccounts', namespace, accountName),
    ...groups.map((group) => attributes('groups', '', group)),
  ];
  for (const one of wanted) if (authorize(user, one) === undefined) throw denial(user, one);
  if (groups.length > 0) return { name, groups: [...groups, AUTHENTICATED] };
  return account === null ? { name, groups: [AUTHENTICATED] } : serviceAccountUser(namespace, accountName);
}

function attributes(resource: string, namespace: string, name: string): Attributes {
  const nothing = { group: '', subresource: '', path: '' };
  return { ...nothing, isResource: true, verb: 'impersonate', resource, namespace, name };
}
