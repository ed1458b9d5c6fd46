import { ServiceError, type ErrorCode, type ErrorDetails } from '../../errors/service-error.ts';
import { ListExpired } from '../../kube/read-pages.ts';
import { isRead, type ClusterRequest } from './request.ts';
import { rejectedFields, retryAfterSeconds, type ClusterStatus } from './status.ts';

/**
 * The one translation of the cluster's failures. It uses the HTTP status and the Status object's reason, kind and name,
 * never its message, which is text of the cluster.
 */

export interface Failure {
  readonly error: ServiceError;
  /** Whether the request may be sent again: a read if that may succeed, a write if that cannot repeat its effect. */
  readonly repeatable: boolean;
}

export interface FailedAnswer {
  readonly status: number;
  /** Undefined when the body is not a Status: something between the service and the cluster has answered. */
  readonly details: ClusterStatus | undefined;
  /** The Retry-After header. */
  readonly retryAfter?: string | undefined;
}

const TEXTS = {
  unavailable: 'The cluster is unavailable',
  uncertain: 'The outcome of the change is uncertain: reload before trying again',
  rbacForbidden: 'The service is missing a permission in the cluster',
  admissionRefused: 'A quota or an admission policy of the cluster forbids the change',
  notFound: 'The object or its namespace does not exist',
  exists: 'An object of this name exists already',
  conflict: 'The object has changed in the meantime: reload and try again',
  expired: 'The list has expired: start over',
  tooLarge: 'The change is too large for the cluster',
  rejected: 'The cluster rejected the change as invalid',
  responseTooLarge: "The cluster's answer is too large",
} as const satisfies Partial<Record<ErrorCode, string>>;

type ClusterCode = keyof typeof TEXTS;

/**
 * The cluster's Retry-After is when another request may succeed. The result of an uncertain change can be read then,
 * too.
 */
const MAY_BE_LATER: readonly ClusterCode[] = ['unavailable', 'uncertain'];

/** Makes the error of a code. `reason` is for the log. */
export const clusterError = (code: ClusterCode, reason: string, details?: ErrorDetails): ServiceError =>
  new ServiceError(code, TEXTS[code], { ...details, reason });

/** The failure for a response with a status of 300 or more. */
export function answeredFailure(request: ClusterRequest, answer: FailedAnswer): Failure {
  const { status, details, retryAfter } = answer;
  const [code, reason] =
    status === 429 || status >= 500 ? overload(request, answer) : verdict(request, answer);
  const fields = code === 'rejected' ? rejectedFields(details) : [];
  const waits = MAY_BE_LATER.includes(code)
    ? (retryAfterSeconds(retryAfter) ?? details?.retryAfterSeconds)
    : undefined;
  const text = fields.length === 0 ? TEXTS[code] : `${TEXTS[code]}: ${fields.join(', ')}`;
  return {
    error:
      code === 'expired'
        ? new ListExpired(text, reason, details?.continueToken)
        : new ServiceError(code, text, { reason, retryAfterSeconds: waits, isOver: isOver(answer) }),
    repeatable:
      status === 429 ||
      isQuotaRace(request, answer) ||
      (isRead(request.verb) && status >= 500 && status !== 501),
  };
}

/**
 * The cluster gives this reason where its own handler of the request has failed, such as in a call of an admission webhook.
 * A storage that has failed, and may write all the same later, is a 500 without it.
 */
const isOver = ({ status, details }: FailedAnswer): boolean =>
  status === 500 && details?.reason === 'InternalError';

type Verdict = readonly [code: ClusterCode, reason: string];

/**
 * 429 and the cluster's own 503 are sent before anything is done. After the others a write may have happened: 504 also
 * means "the request may have been processed", 500 includes a change of etcd's leader during a write, and 502 and a 503
 * without a Status come from a proxy that lost the cluster.
 */
function overload({ verb }: ClusterRequest, { status, details }: FailedAnswer): Verdict {
  if (status === 429) return ['unavailable', 'clusterThrottled'];
  const untouched = isRead(verb) || (status === 503 && details !== undefined) || status === 501;
  return [untouched ? 'unavailable' : 'uncertain', `clusterStatus:${status}`];
}

function verdict(request: ClusterRequest, answer: FailedAnswer): Verdict {
  const { verb, resource } = request;
  const { status, details } = answer;
  if (status === 413 && !isRead(verb)) return ['tooLarge', 'clusterTooLarge'];
  const isRefused = details !== undefined && isAdmission(request, status, details);
  if (status === 401 && !isRefused) return ['unavailable', 'clusterCredentialsRefused'];
  if (details === undefined) return ['unavailable', `notTheClusterApi:${status}`];
  if (details.causes.some(({ reason }) => reason === 'NamespaceTerminating')) {
    return ['notFound', 'namespaceTerminating'];
  }
  if (isRefused) return ['admissionRefused', `admissionRefused:${verb}:${resource.plural}`];
  switch (status) {
    case 403:
      return ['rbacForbidden', `rbacForbidden:${verb}:${resource.plural}`];
    case 404:
      return isAbsence(request, details) ? ['notFound', 'absent'] : ['unavailable', 'notServed'];
    case 409:
      if (isQuotaRace(request, answer)) return ['unavailable', 'quotaRace'];
      return details.reason === 'AlreadyExists'
        ? ['exists', 'alreadyExists']
        : ['conflict', 'clusterConflict'];
    case 410:
      return ['expired', 'clusterExpired'];
    case 400:
    case 422:
      if (!isRead(verb)) return ['rejected', `clusterRejected:${status}`];
      break;
    default:
  }
  return ['unavailable', `clusterStatus:${status}`];
}

/**
 * Distinguishes an admission refusal from a missing permission, and from validation. Authorization uses the path of the
 * request: its Status always names the resource, never an object that does not exist yet, and has no causes. Validation has
 * a reason, and its causes name fields. A quota names the object that does not exist yet, most webhooks name nothing, by
 * default not even a reason, and a ValidatingAdmissionPolicy has a cause without a field. A refusal of another write with
 * none of these is treated as a missing permission. Authentication fails before all of them, without details.
 */
function isAdmission(
  { verb }: ClusterRequest,
  status: number,
  { reason, kind, name, causes }: ClusterStatus,
): boolean {
  if (isRead(verb) || ![400, 401, 403, 422].includes(status)) return false;
  if (status === 400 || status === 422) {
    if (causes.length > 0) return causes.every(({ field }) => field === undefined);
    return reason === '' && kind === undefined;
  }
  if (causes.length > 0) return true;
  return reason !== 'Unauthorized' && (kind === undefined || (verb === 'create' && name !== undefined));
}

/** Two creations updated a quota at the same time, before anything was stored: the object itself did not change. */
function isQuotaRace({ verb }: ClusterRequest, { status, details }: FailedAnswer): boolean {
  return verb === 'create' && status === 409 && details?.kind === 'resourcequotas';
}

/**
 * Only a Status that names this object (or, for a write, its namespace) confirms its absence. Other 404s are about a
 * path that is not served.
 */
function isAbsence({ verb, resource, namespace, name }: ClusterRequest, details: ClusterStatus): boolean {
  if (details.reason !== 'NotFound') return false;
  const ofObject =
    name !== undefined &&
    details.name === name &&
    details.kind === resource.plural &&
    details.group === resource.group;
  const ofNamespace =
    namespace !== undefined &&
    details.name === namespace &&
    details.kind === 'namespaces' &&
    details.group === '';
  return ofObject || (ofNamespace && !isRead(verb));
}

export interface Loss {
  /** Whether the request may have reached the cluster. */
  readonly sent: boolean;
  /** Why it was lost: the attempt or the deadline timed out, or the connection failed. */
  readonly why: 'deadlineExceeded' | 'clusterTimeout' | 'connectionFailed';
  readonly cause: unknown;
}

/** The failure of a request without a response, or with an incomplete one. */
export function lostFailure({ verb }: ClusterRequest, { sent, why, cause }: Loss): Failure {
  const harmless = isRead(verb) || !sent;
  return {
    error: clusterError(harmless ? 'unavailable' : 'uncertain', why, { cause }),
    repeatable: harmless && why !== 'deadlineExceeded',
  };
}

/** The failure of a request whose successful response cannot be used, or is too long: a write has taken effect. */
export function unusableFailure(
  { verb }: ClusterRequest,
  why: 'clusterNotJson' | 'responseTooLarge',
): Failure {
  const code = why === 'responseTooLarge' ? why : 'unavailable';
  const error = isRead(verb) ? clusterError(code, why) : clusterError('uncertain', why, { isOver: true });
  return { error, repeatable: false };
}
