import { ApiError, expired } from '../api/status.ts';
import { type RequestInfo } from '../api/request-info.ts';
import { expiredContinuation } from '../resources/list-plan.ts';
import { type FaultAction } from './rule.ts';

type Interruption = Extract<FaultAction, { type: 'status' | 'cut' | 'hang' }>;

/** What is to go wrong with one request, sorted by when. */
export interface FaultPlan {
  readonly delayMs: number;
  /** Instead of handling the request. */
  readonly before: Interruption | undefined;
  /** Instead of, or in, the answer to the handled request. */
  readonly after: Interruption | undefined;
  /** Answered instead of a list. */
  readonly refusal: Error | undefined;
  /** What a watch has to suffer once it runs. */
  readonly watch: readonly FaultAction[];
}

export const NO_FAULTS: FaultPlan = {
  delayMs: 0,
  before: undefined,
  after: undefined,
  refusal: undefined,
  watch: [],
};

/** Sorts the actions that strike a request; of several that interrupt it at the same moment the oldest wins. */
export function faultPlan(
  actions: readonly FaultAction[],
  info: RequestInfo,
  query: URLSearchParams,
): FaultPlan {
  const interruptions = actions
    .filter((action) => isInterruption(action))
    .map((action) => withDetails(action, info));
  return {
    delayMs: actions.reduce((sum, action) => sum + (action.type === 'delay' ? action.ms : 0), 0),
    before: interruptions.find((action) => timingOf(action) === 'before'),
    after: interruptions.find((action) => timingOf(action) === 'after'),
    refusal: refusalOf(actions, info, query),
    watch: info.verb === 'watch' ? actions : [],
  };
}

/** The error that a `status` action answers. */
export function faultError(action: Extract<FaultAction, { type: 'status' }>): ApiError {
  const reason = action.reason ?? REASONS[action.status] ?? '';
  const headers = action.retryAfter === undefined ? {} : { 'retry-after': String(action.retryAfter) };
  return new ApiError(action.status, reason, action.message ?? `injected fault: ${action.status}`, {
    headers,
    ...(action.details !== undefined && { details: action.details }),
  });
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Expired',
  413: 'RequestEntityTooLarge',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

function isInterruption(action: FaultAction): action is Interruption {
  return action.type === 'status' || action.type === 'cut' || action.type === 'hang';
}

/** As authorization answers it: the resource, without the name of what would have been created. */
function withDetails(action: Interruption, { resource }: RequestInfo): Interruption {
  if (action.type !== 'status' || action.status !== 403) return action;
  return { ...action, details: action.details ?? { kind: resource } };
}

function timingOf({ when = 'before' }: Interruption): 'before' | 'after' {
  return when === 'midway' ? 'after' : when;
}

function refusalOf(
  actions: readonly FaultAction[],
  info: RequestInfo,
  query: URLSearchParams,
): Error | undefined {
  if (info.verb !== 'list') return undefined;
  const token = query.get('continue') ?? '';
  if (actions.some(({ type }) => type === 'expireContinue')) return expiredContinuation(token);
  if (!actions.some(({ type }) => type === 'gone')) return undefined;
  return token === ''
    ? expired('The resourceVersion for the provided list is too old.')
    : expiredContinuation(token);
}
