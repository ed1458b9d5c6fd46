import { z } from 'zod';
import { linearRegExp } from '../../linear-regex/linear-regexp.ts';

const COUNT = z.int().min(0).optional();
const TEXTS = z.union([z.string(), z.array(z.string()).readonly()]).optional();
/** `before`: nothing has happened yet; `after`: the effect is there and only the answer suffers. */
const TIMING = z.enum(['before', 'after']).optional();

/** Which requests a rule is about: all that is given must hold. Lists mean "one of these". */
const MATCH = z.strictObject({
  /** get, list, watch, create, update, patch, delete, deletecollection. */
  verb: TEXTS,
  /** The plural: `secrets`; with its subresource when there is one: `serviceaccounts/token`. */
  resource: TEXTS,
  namespace: z.string().optional(),
  name: z.string().optional(),
  /** As the cluster names it: `system:serviceaccount:ns:name`. */
  user: z.string().optional(),
  /** A regular expression on path and query. */
  path: z.string().refine(isPattern, 'is no pattern, or not a linear one').optional(),
});

const ACTION = z.discriminatedUnion('type', [
  /** Waits, then goes on. */
  z.strictObject({ type: z.literal('delay'), ms: z.int().min(0) }),
  /** Answers this status. */
  z.strictObject({
    type: z.literal('status'),
    status: z.int().min(200).max(599),
    retryAfter: z.union([z.int().min(0), z.string()]).optional(),
    reason: z.string().optional(),
    message: z.string().optional(),
    /** The Status' own; a 403 has those of a missing right by default. */
    details: z.record(z.string(), z.json()).optional(),
    when: TIMING,
  }),
  /** Cuts the connection; `midway` sends the head and half of the body first. */
  z.strictObject({
    type: z.literal('cut'),
    when: z.enum(['before', 'after', 'midway']).optional(),
    /** Before the effect: with HTTP/2, the stream is refused as one that was not processed. */
    refused: z.boolean().optional(),
  }),
  /** Accepts and never answers. */
  z.strictObject({ type: z.literal('hang'), when: TIMING }),
  /** Ends a watch after so many more events (default 0), cleanly or by cutting the connection. */
  z.strictObject({ type: z.literal('endWatch'), afterEvents: COUNT, abrupt: z.boolean().optional() }),
  /** Leaves a watch open but sends nothing from then on, like a half-open connection. */
  z.strictObject({ type: z.literal('silenceWatch'), afterEvents: COUNT }),
  /** Sends everything of a watch so much later, in order. */
  z.strictObject({ type: z.literal('lagWatch'), ms: z.int().min(0) }),
  /** Sends no bookmarks. */
  z.strictObject({ type: z.literal('dropBookmarks') }),
  /** Answers 410 to a list that continues. */
  z.strictObject({ type: z.literal('expireContinue') }),
  /** Answers 410: to a list as its status, to a watch as an ERROR event. */
  z.strictObject({ type: z.literal('gone') }),
]);

const RULE = z.strictObject({
  match: MATCH.optional(),
  /** Lets the first so many matching requests pass. */
  skip: COUNT,
  /** How many requests suffer at most; without it, all. */
  times: COUNT,
  action: ACTION,
});

export type FaultMatch = Readonly<z.infer<typeof MATCH>>;
export type FaultAction = Readonly<z.infer<typeof ACTION>>;
export type FaultRule = Readonly<z.infer<typeof RULE>>;

/** A rule that does not parse; the message names the field. */
export class RuleError extends Error {}

/** A rule from JSON. Anything unknown or malformed is refused, so that a mistyped rule never passes for a harmless one. */
export function parseFaultRule(value: unknown): FaultRule {
  const { success, data, error } = RULE.safeParse(value);
  if (success) return data;
  throw new RuleError(error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '));
}

function isPattern(text: string): boolean {
  try {
    return linearRegExp(text).source !== '';
  } catch {
    return false;
  }
}
