import type { FaultAction, FaultMatch } from '../../../hack/dev-cluster/faults/rule.ts';
import { WORK, type Work } from './work.ts';

/** Every way in which the cluster fails; `message` is its text. */
export const failuresWith = (message: string): readonly FaultAction[] => [
  ...[400, 401, 403, 404, 409, 410, 422, 429, 500, 504].map((status): FaultAction => ({
    type: 'status',
    status,
    message,
    ...(status === 429 ? { retryAfter: 60 } : {}),
  })),
  { type: 'cut', when: 'before' },
  { type: 'cut', when: 'after' },
  { type: 'cut', when: 'midway' },
  { type: 'hang', when: 'before' },
  { type: 'hang', when: 'after' },
];

const WRITES = ['create', 'update', 'patch', 'delete'];

interface FailureCase extends Work {
  readonly action: FaultAction;
  readonly match: FaultMatch;
  /** Whether something may be written all the same: otherwise the next case finds what this one found. */
  readonly changes: boolean;
}

/**
 * Every failure of the cluster under every route, at once or only once something is written or listed. A read that is
 * left hanging costs several timeouts, so only one route meets that.
 */
export function failureCases(failures: readonly FaultAction[]): readonly FailureCase[] {
  const onEverything = failures
    .filter(({ type }) => type !== 'hang')
    .flatMap((action) =>
      WORK.filter(({ needsNoCluster }) => needsNoCluster !== true).flatMap((work) => {
        const onceOpened = work.writes === true ? [{ verb: [...WRITES, 'list'] }] : [];
        return [{}, ...onceOpened].map((match) => failureCase(action, match, work));
      }),
    );
  const hanging = failures
    .filter(({ type }) => type === 'hang')
    .flatMap((action) => [
      ...WORK.filter(({ writes }) => writes === true).map((work) =>
        failureCase(action, { verb: WRITES }, work),
      ),
      ...WORK.filter(({ route }) => route.endsWith('/versions')).map((work) => failureCase(action, {}, work)),
    ]);
  return [...onEverything, ...hanging];
}

function failureCase(action: FaultAction, match: FaultMatch, work: Work): FailureCase {
  const isBefore = action.type === 'status' || ('when' in action && action.when === 'before');
  return { action, match, ...work, changes: work.writes === true && !isBefore };
}
