/** Who a request comes from. */
export interface User {
  readonly name: string;
  readonly groups: readonly string[];
}

/** Members may do everything, whatever the roles say. */
export const MASTERS = 'system:masters';
export const AUTHENTICATED = 'system:authenticated';

export const ADMINISTRATOR: User = { name: 'kubernetes-admin', groups: [MASTERS, AUTHENTICATED] };

export function serviceAccountUser(namespace: string, name: string): User {
  return {
    name: `system:serviceaccount:${namespace}:${name}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, AUTHENTICATED],
  };
}
