import { forbiddenField } from '../validation/field-errors.ts';
import { invalid } from '../api/status.ts';
import { numberOf } from '../resources/options.ts';
import { revisionOf } from '../resources/list-plan.ts';

/** How a watch begins and how long it lasts. */
export interface WatchPlan {
  /** Whether what is there comes first, as ADDED events. */
  readonly initial: boolean;
  /** The revision to go on from, where the beginning is left out. */
  readonly after: number;
  readonly bookmarks: boolean;
  /** Whether a marked bookmark ends the beginning (streaming lists). */
  readonly sendsInitialEventsEnd: boolean;
  readonly timeoutMs: number;
}

const OPTIONS = { group: 'meta.k8s.io', kind: 'ListOptions' };
/** The server ends a watch by itself after 30 to 60 minutes. */
const SHORTEST_SECONDS = 1800;

/** Reads the options of a watch; `random` (0 to 1) spreads the time after which the server ends it. */
export function watchPlan(query: URLSearchParams, random: () => number): WatchPlan {
  const revision = query.get('resourceVersion') ?? '';
  const bookmarks = isTrue(query.get('allowWatchBookmarks'));
  const streaming = checkInitialEvents(query);
  const anyState = revision === '' || revision === '0';
  const seconds = numberOf(query, 'timeoutSeconds') ?? 0;
  return {
    initial: streaming ?? anyState,
    after: anyState ? 0 : revisionOf(revision),
    bookmarks,
    sendsInitialEventsEnd: streaming === true && bookmarks,
    timeoutMs: 1000 * (seconds > 0 ? seconds : SHORTEST_SECONDS * (1 + random())),
  };
}

function checkInitialEvents(query: URLSearchParams): boolean | undefined {
  const given = query.get('sendInitialEvents');
  const match = query.get('resourceVersionMatch') ?? '';
  const refuse = (field: string, rule: string): Error => invalid(OPTIONS, [forbiddenField(field, rule)]);
  if (given === null) {
    if (match === '') return undefined;
    throw refuse(
      'resourceVersionMatch',
      'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
    );
  }
  if (match !== 'NotOlderThan') {
    throw refuse(
      'resourceVersionMatch',
      'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    );
  }
  return isTrue(given);
}

function isTrue(value: string | null): boolean {
  return value === 'true' || value === '1';
}
