import type { AccessRules } from '../contract/access-rules.ts';
import type { StoredPolicy } from './ports.ts';

/** The state of a namespace's rules when a decision is made. */
export type PolicyState =
  /** The cluster answered that there is no policy object: every signed-in user is allowed. */
  | { readonly state: 'absent' }
  /** Valid rules; both lists empty is open, too. */
  | { readonly state: 'rules'; readonly rules: AccessRules }
  /** The object is there and cannot be understood. */
  | { readonly state: 'invalid'; readonly key: keyof AccessRules }
  /** It could not be read. */
  | { readonly state: 'unavailable'; readonly retryAfterSeconds?: number };

/** When a read began. Its result is newer than everything noted before, and not newer than what was noted after. */
export interface ReadStart {
  readonly sequence: number;
}

/** A policy as a live read returned it. */
export interface ObservedPolicy {
  readonly state: PolicyState;
  /** Undefined when there was none. */
  readonly resourceVersion: string | undefined;
  readonly since: ReadStart;
  /** A revision that the cluster had reached when the read began. */
  readonly reached: string | undefined;
}

/** Policies from memory, for lists and hints. No write depends on them. */
export interface PolicyCache {
  /**
   * Undefined when the cached policy may be stale; it is then read live. With a revision, only a policy that was in
   * force at that revision or later is returned.
   */
  state(namespace: string, reached?: string): PolicyState | undefined;
  /** Call it before a live read. */
  startRead(): ReadStart;
  /**
   * Notes the result of a live read. While the cache contradicts it, the cached policy is not used. A result that is
   * older than the cached one is ignored.
   */
  noteRead(namespace: string, observed: ObservedPolicy): void;
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
    return undefined; // The parser's message quotes the text.
  }
}
