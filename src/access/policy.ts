import type { AccessRules } from '../contract/access-rules.ts';
import type { StoredPolicy } from './ports.ts';

/** What is known of a namespace's rules at the moment of a decision. */
export type PolicyState =
  /** The cluster said that there is no policy object: open to every signed-in user. */
  | { readonly state: 'absent' }
  /** Valid rules; both lists empty is open, too. */
  | { readonly state: 'rules'; readonly rules: AccessRules }
  /** The object is there and cannot be understood. */
  | { readonly state: 'invalid'; readonly key: keyof AccessRules }
  /** It could not be read. */
  | { readonly state: 'unavailable'; readonly retryAfterSeconds?: number };

/** When a read began: what it brings is news against everything seen before that, not after. */
export interface ObservationStart {
  readonly sequence: number;
}

/** A policy as one live read found it. */
export interface ObservedPolicy {
  readonly state: PolicyState;
  /** Undefined when there was none. */
  readonly resourceVersion: string | undefined;
  readonly since: ObservationStart;
  /** A revision that the cluster had reached when the read began. */
  readonly reached: string | undefined;
}

/** Policies from memory, for what no precondition depends on: what a list shows, and hints. */
export interface PolicyCache {
  /**
   * Undefined when the cache cannot vouch for it; it is then read live. With a revision it vouches only for a policy that
   * is known to have been in force at that revision or after.
   */
  state(namespace: string, reached?: string): PolicyState | undefined;
  /** To be taken before a live read. */
  observationStart(): ObservationStart;
  /**
   * What was read live. While the cache contradicts it, it does not vouch for the namespace. An answer that is older than
   * what the cache holds is no news.
   */
  sawLive(namespace: string, observed: ObservedPolicy): void;
}

/** Judges a stored policy. Keys other than the two lists are ignored. */
export function parsePolicy(stored: StoredPolicy | undefined): PolicyState {
  if (stored === undefined) return { state: 'absent' };
  const allowedGroups = parseList(stored, 'allowedGroups');
  if (allowedGroups === undefined) return { state: 'invalid', key: 'allowedGroups' };
  const allowedUsers = parseList(stored, 'allowedUsers');
  if (allowedUsers === undefined) return { state: 'invalid', key: 'allowedUsers' };
  return { state: 'rules', rules: { allowedGroups, allowedUsers } };
}

/** The entries under one key, exactly as written (commas allowed); undefined when they are not valid. */
function parseList(stored: StoredPolicy, key: keyof AccessRules): readonly string[] | undefined {
  if (stored.binaryKeys.includes(key)) return undefined;
  const text = stored.data.get(key);
  if (text === undefined) return [];
  const parsed = jsonOrUndefined(text);
  if (!Array.isArray(parsed)) return undefined;
  const entries: readonly unknown[] = parsed;
  return entries.every(isNonblankString) ? entries : undefined;
}

function isNonblankString(entry: unknown): entry is string {
  return typeof entry === 'string' && entry.trim() !== '';
}

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the parser's message quotes the text; "not valid" is all that matters here
  }
}
