import { linearRegExp } from '../../linear-regex/linear-regexp.ts';
import { isObject, own, textAt, type Json, type JsonObject } from '../json/json.ts';

/** Which requests a rule is about: all that is given must hold. Lists mean "one of these". */
export interface FaultMatch {
  /** get, list, watch, create, update, patch, delete, deletecollection. */
  readonly verb?: string | readonly string[];
  /** The plural: `secrets`; with its subresource when there is one: `serviceaccounts/token`. */
  readonly resource?: string | readonly string[];
  readonly namespace?: string;
  readonly name?: string;
  /** As the cluster names it: `system:serviceaccount:ns:name`. */
  readonly user?: string;
  /** A regular expression on path and query. */
  readonly path?: string;
}

/** `before`: nothing has happened yet; `after`: the effect is there and only the answer suffers. */
export type FaultTiming = 'before' | 'after';

export type FaultAction =
  /** Waits, then goes on. */
  | { readonly type: 'delay'; readonly ms: number }
  /** Answers this status. */
  | {
      readonly type: 'status';
      readonly status: number;
      readonly retryAfter?: number | string;
      readonly reason?: string;
      readonly message?: string;
      /** The Status' own; a 403 has those of a missing right by default. */
      readonly details?: JsonObject;
      readonly when?: FaultTiming;
    }
  /** Cuts the connection; `midway` sends the head and half of the body first. */
  | {
      readonly type: 'cut';
      readonly when?: FaultTiming | 'midway';
      /** Before the effect: with HTTP/2, the stream is refused as one that was not processed. */
      readonly refused?: boolean;
    }
  /** Accepts and never answers. */
  | { readonly type: 'hang'; readonly when?: FaultTiming }
  /** Ends a watch after so many more events (default 0), cleanly or by cutting the connection. */
  | { readonly type: 'endWatch'; readonly afterEvents?: number; readonly abrupt?: boolean }
  /** Leaves a watch open but sends nothing from then on, like a half-open connection. */
  | { readonly type: 'silenceWatch'; readonly afterEvents?: number }
  /** Sends everything of a watch so much later, in order. */
  | { readonly type: 'lagWatch'; readonly ms: number }
  /** Sends no bookmarks. */
  | { readonly type: 'dropBookmarks' }
  /** Answers 410 to a list that continues. */
  | { readonly type: 'expireContinue' }
  /** Answers 410: to a list as its status, to a watch as an ERROR event. */
  | { readonly type: 'gone' };

export interface FaultRule {
  readonly match?: FaultMatch;
  /** Lets the first so many matching requests pass. */
  readonly skip?: number;
  /** How many requests suffer at most; without it, all. */
  readonly times?: number;
  readonly action: FaultAction;
}

/** A rule that does not parse; the message names the field. */
export class RuleError extends Error {}

const TEXT = (value: unknown): boolean => typeof value === 'string';
const TEXTS = (value: unknown): boolean => TEXT(value) || (Array.isArray(value) && value.every(TEXT));
const COUNT = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const FLAG = (value: unknown): boolean => typeof value === 'boolean';
const MOMENT = (value: unknown): boolean => value === 'before' || value === 'after';

type Check = (value: unknown) => boolean;
type Fields = Readonly<Record<string, Check>>;

const MATCH_FIELDS: Fields = {
  verb: TEXTS,
  resource: TEXTS,
  namespace: TEXT,
  name: TEXT,
  user: TEXT,
  path: (value) => TEXT(value) && isPattern(String(value)),
};

const ACTION_FIELDS: Readonly<
  Record<FaultAction['type'], { readonly needs: readonly string[]; readonly fields: Fields }>
> = {
  delay: { needs: ['ms'], fields: { ms: COUNT } },
  status: {
    needs: ['status'],
    fields: {
      status: (value) => COUNT(value) && Number(value) >= 200 && Number(value) <= 599,
      retryAfter: (value) => COUNT(value) || TEXT(value),
      reason: TEXT,
      message: TEXT,
      details: isObject,
      when: MOMENT,
    },
  },
  cut: { needs: [], fields: { when: (value) => MOMENT(value) || value === 'midway', refused: FLAG } },
  hang: { needs: [], fields: { when: MOMENT } },
  endWatch: { needs: [], fields: { afterEvents: COUNT, abrupt: FLAG } },
  silenceWatch: { needs: [], fields: { afterEvents: COUNT } },
  lagWatch: { needs: ['ms'], fields: { ms: COUNT } },
  dropBookmarks: { needs: [], fields: {} },
  expireContinue: { needs: [], fields: {} },
  gone: { needs: [], fields: {} },
};

/** A rule from JSON. Anything unknown or malformed is refused, so that a mistyped rule never passes for a harmless one. */
export function parseFaultRule(value: Json): FaultRule {
  if (!isObject(value)) throw new RuleError('a rule is a JSON object');
  checkFields(value, { match: isObject, skip: COUNT, times: COUNT, action: isObject }, '');
  checkFields(objectOf(value, 'match'), MATCH_FIELDS, 'match.');
  const action = objectOf(value, 'action');
  const type = textAt(action, 'type');
  if (!Object.hasOwn(ACTION_FIELDS, type)) {
    throw new RuleError(`action.type must be one of ${Object.keys(ACTION_FIELDS).join(', ')}`);
  }
  const { needs, fields } = ACTION_FIELDS[type as FaultAction['type']];
  checkFields(action, { ...fields, type: TEXT }, 'action.');
  for (const field of needs)
    if (own(action, field) === undefined) throw new RuleError(`action.${field} is required`);
  return value as unknown as FaultRule;
}

function objectOf(value: JsonObject, field: string): JsonObject {
  const found = own(value, field);
  return isObject(found) ? found : {};
}

function checkFields(value: JsonObject, fields: Fields, prefix: string): void {
  for (const [field, given] of Object.entries(value)) {
    const check = Object.hasOwn(fields, field) ? fields[field] : undefined;
    if (check === undefined) throw new RuleError(`${prefix}${field} is no field of a rule`);
    if (!check(given)) throw new RuleError(`${prefix}${field} has a wrong value`);
  }
}

function isPattern(text: string): boolean {
  try {
    return linearRegExp(text).source !== '';
  } catch {
    return false;
  }
}
