import type { ErrorCode } from '../errors/service-error.ts';

/** What each code means to a client. The table of errors in docs/api.md has the same texts; a test compares them. */
export const ERROR_DESCRIPTIONS: Readonly<Record<ErrorCode, string>> = {
  invalidRequest: 'a parameter, a field or the body is malformed; the text names it and the rule',
  unauthenticated: 'no valid session',
  forbidden: 'access rules, the namespace policy or the scope deny; or only an admin may',
  crossSite: 'a write from another site',
  foreignHost:
    "sign-in is disabled, and the request's `Host` is neither a loopback name nor that of `NEXT_PUBLIC_APP_URL`",
  notFound: 'no such Secret, or a hidden one; no such namespace; a version that is not archived',
  routeNotFound: 'nothing at this address',
  methodNotAllowed: 'not this method here; see `Allow`',
  exists: 'a Secret of this name exists',
  staleRevision: 'the revision is not the live one: reload',
  conflict: "someone else was faster between the service's read and its write: reload",
  snapshotCollision: 'this version is archived with another content: an admin must review',
  replaced: 'after the deletion another Secret has the name',
  pageExpired: 'the state that `continue` belongs to is gone: begin with the first page',
  tooLarge: 'the body, its structure, all values or all annotations together are over their limit',
  unsupportedMediaType: 'the body is not uncompressed `application/json` in UTF-8, or its type is malformed',
  invalidSecret:
    'the rules of its type, immutability or binary values forbid it; or a workload was named that does not use it',
  rejected: 'the cluster found the Secret invalid; the text may name its fields, never values',
  rateLimited: 'too many requests, in a minute or at once; see `Retry-After`',
  bodyBudgetExceeded:
    'the request bodies of the replica or of the person are over their limit, or this one arrived too slowly; see `Retry-After`',
  overloaded: 'too many requests of this kind are under way in the replica; see `Retry-After`',
  internal: 'a defect of the service',
  notConfigured: 'no identity provider is configured; or consumers or restart are not enabled',
  providerUnavailable: 'the identity provider, or the signing key, cannot be used',
  policyUnavailable: 'the namespace policy is needed and cannot be read or understood',
  historyUnavailable: 'snapshots could not be stored, read or removed; the Secret was not changed',
  listFailed: 'the list could not be collected',
  listInconsistent: 'the list contradicted itself; try again',
  listOverBudget: 'the list is over its limit',
  cacheUnavailable: 'what is answered from memory alone is not up to date at the moment; see `Retry-After`',
  unavailable: 'the cluster cannot be reached, is overloaded or failed; nothing was changed',
  uncertain:
    'the connection was lost after a write was sent, or its previous state could not be proven to be archived: reload to see what took effect',
  rbacForbidden: 'a permission of the service in the cluster is missing; the log names it',
  admissionRefused: 'a quota or an admission policy of the cluster forbids the change; nothing was changed',
  expired: 'a list expired while it was read, again and again',
  responseTooLarge: 'the cluster answered more than the service takes',
};
