import type { ErrorCode } from '../../errors/service-error.ts';
import type { ApiRoute } from './route.ts';

/** Ambiguous header fields are refused before anything else. */
const PUBLIC: readonly ErrorCode[] = ['invalidRequest'];
const LOGIN: readonly ErrorCode[] = [...PUBLIC, 'rateLimited', 'overloaded'];
const SESSION: readonly ErrorCode[] = ['unauthenticated', 'rateLimited', 'overloaded'];
const NAMESPACE: readonly ErrorCode[] = [...SESSION, 'invalidRequest', 'forbidden'];
/** Errors of reading the live Secret and of the access decision. */
const SECRET: readonly ErrorCode[] = [
  ...NAMESPACE,
  'notFound',
  'policyUnavailable',
  'unavailable',
  'rbacForbidden',
  'responseTooLarge',
];
/** Of its final snapshot, likewise. */
const DELETED: readonly ErrorCode[] = [...NAMESPACE, 'notFound', 'policyUnavailable', 'historyUnavailable'];
const BODY: readonly ErrorCode[] = [
  'invalidRequest',
  'tooLarge',
  'unsupportedMediaType',
  'bodyBudgetExceeded',
];

/**
 * Every error that a route documents: those of the steps before its handler, and its own. Errors that are not specific
 * to the route are left out: a defect, a replica that cannot verify sessions.
 */
export function errorsOf(route: ApiRoute): readonly ErrorCode[] {
  return [
    ...new Set([
      ...errorsOfAccess(route),
      ...(route.method === 'GET' ? [] : (['crossSite'] as const)),
      ...('body' in route ? BODY : []),
      ...('requireOffered' in route ? (['notConfigured'] as const) : []),
      ...route.errors,
    ]),
  ];
}

function errorsOfAccess(route: ApiRoute): readonly ErrorCode[] {
  switch (route.access) {
    case 'public':
      return route.limit === 'login' ? LOGIN : PUBLIC;
    case 'session':
      return SESSION;
    case 'namespace':
      return NAMESPACE;
    case 'secret':
      return SECRET;
    case 'deleted':
      return DELETED;
  }
}
