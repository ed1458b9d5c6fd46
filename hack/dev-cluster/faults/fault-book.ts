import { type RequestInfo } from '../api/request-info.ts';
import { parseFaultRule, type FaultAction, type FaultMatch, type FaultRule } from './rule.ts';
import { linearRegExp } from '../../linear-regex/linear-regexp.ts';

/** What rules are matched against. */
export interface FaultTarget {
  readonly info: RequestInfo;
  readonly user: string;
  readonly query: URLSearchParams;
}

export interface FaultHandle {
  readonly id: string;
  readonly rule: FaultRule;
  /** How many requests have suffered from the rule so far. */
  readonly hits: number;
  remove(): void;
}

interface Entry extends FaultHandle {
  readonly pattern: RegExp | undefined;
  seen: number;
  hits: number;
}

/** The rules by which the cluster misbehaves, oldest first. */
export class FaultBook {
  readonly #entries = new Map<string, Entry>();
  readonly #onAdded = new Set<(handle: FaultHandle) => void>();
  #last = 0;

  /** Adds a rule; refuses a malformed one (RuleError). Rules that act on watches reach running watches, too. */
  add(rule: FaultRule): FaultHandle {
    parseFaultRule(rule);
    const id = String(++this.#last);
    const path = rule.match?.path;
    const pattern = path === undefined ? undefined : linearRegExp(path);
    const entry: Entry = { id, rule, pattern, seen: 0, hits: 0, remove: () => void this.remove(id) };
    this.#entries.set(id, entry);
    for (const listener of this.#onAdded) listener(entry);
    return entry;
  }

  get rules(): readonly FaultHandle[] {
    return [...this.#entries.values()];
  }

  remove(id: string): boolean {
    return this.#entries.delete(id);
  }

  clear(): void {
    this.#entries.clear();
  }

  /** The actions that strike this request, in the order of their rules; each counts as a hit. */
  strike(target: FaultTarget): readonly FaultAction[] {
    return [...this.#entries.values()]
      .filter((entry) => this.#takes(entry, target))
      .map(({ rule }) => rule.action);
  }

  /** Whether the rule `id` strikes this one target; counts as a hit. */
  strikeWith(id: string, target: FaultTarget): boolean {
    const entry = this.#entries.get(id);
    return entry !== undefined && this.#takes(entry, target);
  }

  onAdded(listener: (handle: FaultHandle) => void): void {
    this.#onAdded.add(listener);
  }

  #takes(entry: Entry, target: FaultTarget): boolean {
    const { rule } = entry;
    if (!concerns(rule.action, target) || !matches(rule.match ?? {}, entry.pattern, target)) return false;
    if (rule.times !== undefined && entry.hits >= rule.times) return false;
    if (entry.seen++ < (rule.skip ?? 0)) return false;
    entry.hits++;
    return true;
  }
}

/** Some actions make sense for some requests only; the others neither suffer nor count. */
function concerns(action: FaultAction, { info, query }: FaultTarget): boolean {
  switch (action.type) {
    case 'endWatch':
    case 'silenceWatch':
    case 'dropBookmarks':
      return info.verb === 'watch';
    case 'expireContinue':
      return info.verb === 'list' && (query.get('continue') ?? '') !== '';
    case 'gone':
      return info.verb === 'list' || info.verb === 'watch';
    default:
      return true;
  }
}

function matches(
  match: FaultMatch,
  pattern: RegExp | undefined,
  { info, user, query }: FaultTarget,
): boolean {
  const resource = info.subresource === '' ? info.resource : `${info.resource}/${info.subresource}`;
  const address = query.size === 0 ? info.path : `${info.path}?${query.toString()}`;
  return (
    isOneOf(match.verb, info.verb) &&
    isOneOf(match.resource, resource) &&
    isOneOf(match.namespace, info.namespace) &&
    isOneOf(match.name, info.name) &&
    isOneOf(match.user, user) &&
    (pattern === undefined || pattern.test(address))
  );
}

function isOneOf(wanted: string | readonly string[] | undefined, value: string): boolean {
  if (wanted === undefined) return true;
  return typeof wanted === 'string' ? wanted === value : wanted.includes(value);
}
