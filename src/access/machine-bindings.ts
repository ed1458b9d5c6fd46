import { MACHINE_PREFIX } from '../contract/email.ts';
import { isObject, jsonOrUndefined } from '../contract/json-text.ts';
import { ServiceError } from '../errors/service-error.ts';
import { ACCESS_LEVELS, hasAnyList, type AccessLevel, type AccessRules } from '../contract/access-rules.ts';
import {
  CLAIMS_RULE,
  claimsMatch,
  isListOf,
  isText,
  isWantedClaims,
  wantedClaims,
  type WantedClaim,
  type WrittenClaims,
} from '../contract/token-claims.ts';
import { isNamespaceName, isSecretName } from '../contract/names.ts';
import type { MachineToken } from './actor.ts';

/** What the owners of a namespace let a machine do, by the claims of its token. */
export interface MachineBinding {
  readonly name: string;
  /** `machine:<namespace>/<name>`: whom audit lines and `last-modified-by` name. */
  readonly identity: string;
  /** The name of a trusted issuer. One of an unknown issuer matches nothing. */
  readonly issuer: string;
  readonly claims: readonly WantedClaim[];
  readonly level: AccessLevel;
  /** Names, or `*` for all Secrets without any list of their own. */
  readonly secrets: '*' | readonly string[];
  /** The names again: a list looks up each of its Secrets, and a policy may have thousands. */
  readonly names: ReadonlySet<string>;
}

/** The key `machines` of a policy. A malformed one disables the machines of its namespace, and changes nothing for people. */
export type MachineBindings =
  | { readonly kind: 'bindings'; readonly bindings: readonly MachineBinding[] }
  /** Names a field and its rule, never a value. */
  | { readonly kind: 'malformed'; readonly problem: string };

const MAX_BINDINGS = 100;
/** Each request for a Secret parses them: a mebibyte of short names would take a quarter of a second. */
const MAX_BYTES = 131_072;

export function parseBindings(text: string, namespace: string): MachineBindings {
  const value = Buffer.byteLength(text) > MAX_BYTES ? undefined : jsonOrUndefined(text);
  if (!Array.isArray(value) || value.length > MAX_BINDINGS) {
    return malformed(`must be a JSON array of at most ${MAX_BINDINGS} bindings and 128 KiB`);
  }
  const entries: readonly unknown[] = value;
  const problem = entries.map(problemOf).find((found) => found !== undefined);
  if (problem !== undefined) return malformed(problem);
  const bindings = entries.map((entry) => bindingOf(entry as WrittenBinding, namespace));
  const isNamedTwice = new Set(bindings.map(({ name }) => name)).size < bindings.length;
  return isNamedTwice ? malformed('name must differ between bindings') : { kind: 'bindings', bindings };
}

const malformed = (problem: string): MachineBindings => ({ kind: 'malformed', problem });

interface WrittenBinding extends Omit<MachineBinding, 'claims' | 'identity' | 'names'> {
  readonly claims: WrittenClaims;
}

/** The rule of each field. A binding has all of them, and no other. */
const FIELDS: Readonly<Record<keyof WrittenBinding, { rule: string; holds: (value: unknown) => boolean }>> = {
  name: { rule: 'must be a DNS label', holds: (value) => isText(value) && isNamespaceName(value) },
  issuer: { rule: 'must name a trusted issuer', holds: isText },
  claims: { rule: CLAIMS_RULE, holds: isWantedClaims },
  level: {
    rule: 'must be read, write or manage',
    holds: (value) => ACCESS_LEVELS.some((level) => level === value),
  },
  secrets: {
    rule: 'must be "*" or a list of names of Secrets',
    holds: (value) => value === '*' || (isListOf(value, isText) && value.every((name) => isSecretName(name))),
  },
};

function problemOf(entry: unknown, index: number): string | undefined {
  const place = `[${index}]`;
  if (!isObject(entry)) return `${place} must be an object`;
  const unknown = Object.keys(entry).some((field) => !Object.hasOwn(FIELDS, field));
  if (unknown) return `${place} must have ${Object.keys(FIELDS).join(', ')} alone`;
  const broken = Object.entries(FIELDS).find(
    ([field, { holds }]) => !holds(Object.hasOwn(entry, field) ? entry[field] : undefined),
  );
  return broken && `${place}.${broken[0]} ${broken[1].rule}`;
}

function bindingOf({ claims, ...binding }: WrittenBinding, namespace: string): MachineBinding {
  const identity = `${MACHINE_PREFIX}${namespace}/${binding.name}`;
  const names = new Set(binding.secrets === '*' ? [] : binding.secrets);
  return { ...binding, identity, claims: wantedClaims(claims), names };
}

/**
 * The bindings that a token matches, in order. Those whose identity was ended early match no token from before.
 */
export function matchingBindings(
  { issuer, claims, isEnded }: MachineToken,
  bindings: readonly MachineBinding[],
): readonly MachineBinding[] {
  return bindings.filter(
    (binding) =>
      binding.issuer === issuer && claimsMatch(claims, binding.claims) && !isEnded(binding.identity),
  );
}

/** More bindings than any cluster has pods for; the longest unseen are forgotten. */
const MAX_SEEN = 10_000;

export type LastSeen = ReturnType<typeof createLastSeen>;

/** When bindings last let a machine in, in this replica since its start. */
export function createLastSeen(now: () => number) {
  const seen = new Map<string, number>();
  return {
    note(identity: string): void {
      seen.delete(identity);
      seen.set(identity, now());
      const [longestUnseen] = seen.keys();
      if (seen.size > MAX_SEEN && longestUnseen !== undefined) seen.delete(longestUnseen);
    },
    /** A binding as people see it who may know the rules of its namespace; without a time if it was not seen. */
    of({ name, issuer, level, identity }: MachineBinding) {
      const at = seen.get(identity);
      return { name, issuer, level, ...(at !== undefined && { lastSeenAt: new Date(at).toISOString() }) };
    },
  };
}

/** One text for all reasons; the reason is for the log. */
export function bearerRefused(reason: string): ServiceError {
  return new ServiceError('unauthenticated', 'The bearer token is not accepted', { reason });
}

/** For a namespace where a machine has no binding, whether or not the namespace exists. */
export function noBinding(): ServiceError {
  return new ServiceError('forbidden', 'No binding names this machine', { reason: 'noBinding' });
}

/** Whether a binding counts for a Secret, or without a name for one that is to be created. */
export function isBoundTo(
  { secrets, names }: MachineBinding,
  own: AccessRules,
  name: string | undefined,
): boolean {
  return secrets === '*' ? !hasAnyList(own) : name !== undefined && names.has(name);
}
