import {
  ACCESS_LEVELS,
  hasRules,
  includesLevel,
  levelIn,
  levelOn,
  LISTS_OF,
  RULE_LISTS,
  type AccessLevel,
  type AccessRules,
  type GivenLevel,
  type RuleList,
} from '../../../src/contract/access-rules.ts';
import { entryViolation } from '../../../src/contract/access-entry.ts';
import { emailKey } from '../../../src/contract/email.ts';
import type { Explanation } from '../api/secrets-api.ts';

/** What the pages call each level. */
export const LEVEL_LABELS: Readonly<Record<GivenLevel, string>> = {
  none: 'no access',
  read: 'can read',
  write: 'can write',
  manage: 'can manage',
};

const KINDS = ['groups', 'users'] as const;

/** A group, or a person by email. */
export interface Principal {
  readonly kind: (typeof KINDS)[number];
  readonly entry: string;
}

export interface Share extends Principal {
  readonly level: AccessLevel;
}

/** All six lists, empty ones too: a draft that one is left out of keeps what it had. */
export type AllLists = Readonly<Record<RuleList, readonly string[]>>;

/** The same for two that mean the same: groups are compared exactly, users as emails. */
export function idOf({ kind, entry }: Principal): string {
  return `${kind} ${kind === 'users' ? emailKey(entry) : entry}`;
}

/** Everyone whom the rules name, once, with the highest of their levels. The order does not depend on the level. */
export function sharesOf(rules: AccessRules): readonly Share[] {
  const shares = new Map<string, Share>();
  for (const level of ACCESS_LEVELS) {
    for (const kind of KINDS) {
      for (const entry of rules[LISTS_OF[level][kind]] ?? []) {
        shares.set(idOf({ kind, entry }), { kind, entry, level });
      }
    }
  }
  return [...shares.values()].sort((one, other) => (idOf(one) < idOf(other) ? -1 : 1));
}

/** The rules with someone at one level, or without them, whatever lists named them before. */
export function withLevel(rules: AccessRules, principal: Principal, level: GivenLevel): AllLists {
  const { kind, entry } = principal;
  const isOther = (one: string) => idOf({ kind, entry: one }) !== idOf(principal);
  const changed = ACCESS_LEVELS.map((one) => {
    const entries = rules[LISTS_OF[one][kind]] ?? [];
    const others = entries.filter(isOther);
    const isAdded = one === level && others.length === entries.length;
    return [LISTS_OF[one][kind], one !== level ? others : isAdded ? [...entries, entry] : entries] as const;
  });
  return { ...allLists(rules), ...Object.fromEntries(changed) };
}

/** The rules with more people. No one who has a higher level already loses it. */
export function withShares(rules: AccessRules, shares: readonly Share[]): AllLists {
  const levels = new Map(sharesOf(rules).map((share) => [idOf(share), share.level]));
  return shares
    .filter((share) => !includesLevel(levels.get(idOf(share)) ?? 'none', share.level))
    .reduce((lists, share) => withLevel(lists, share, share.level), allLists(rules));
}

export function allLists(rules: AccessRules): AllLists {
  return Object.fromEntries(RULE_LISTS.map((list) => [list, rules[list] ?? []])) as AllLists;
}

const SUGGESTED = 8;

/** What may be meant by what is typed: whoever is known and in none of the lists yet. */
export function suggestedPrincipals(
  text: string,
  rules: AccessRules,
  known: readonly Principal[],
): readonly Principal[] {
  const named = new Set(sharesOf(rules).map(idOf));
  const typed = text.trim().toLowerCase();
  const matching = known.filter(
    (one) =>
      !named.has(idOf(one)) &&
      entryViolation(one.entry) === undefined &&
      one.entry.toLowerCase().includes(typed),
  );
  const byEntry = Map.groupBy(matching, ({ entry }) => entry);
  return [...byEntry.values()].flatMap(([first]) => first ?? []).slice(0, SUGGESTED);
}

type NamespaceRules = Explanation['namespaceRules'];

/** What a change of the rules means for someone. */
export interface AccessChange {
  /** Undefined: everyone who can sign in. */
  readonly who: Principal | undefined;
  readonly before: GivenLevel;
  readonly after: GivenLevel;
}

/** Everyone whose level changes, as far as the rules of the namespace are known; those who lose something come first. */
export function accessChanges(
  before: AccessRules,
  after: AccessRules,
  within: NamespaceRules | undefined,
): readonly AccessChange[] {
  const named = within?.state === 'rules' ? within : undefined;
  const levels = (who: Principal | undefined): AccessChange => {
    const person = personOf(who);
    const inNamespace =
      named === undefined ? (within?.state === 'open' ? 'manage' : 'none') : levelIn(person, named);
    return { who, before: levelOn(person, before, inNamespace), after: levelOn(person, after, inNamespace) };
  };
  const everyone = within?.state === 'open' ? [undefined] : [];
  const all = [before, after, ...(named === undefined ? [] : [named])].flatMap(sharesOf);
  const principals = new Map(all.map((share) => [idOf(share), share]));
  const changes = [...everyone, ...principals.values()].map(levels).filter((one) => one.before !== one.after);
  return [...changes.filter(loses), ...changes.filter((one) => !loses(one))];
}

export function loses({ before, after }: AccessChange): boolean {
  return before !== 'none' && !includesLevel(after, before);
}

/** Those of the namespace who lose something by rules that do not mention them, at the levels that they have. */
export function losersOf(
  before: AccessRules,
  after: AccessRules,
  within: NamespaceRules | undefined,
): readonly Share[] {
  const mentioned = new Set(sharesOf(after).map(idOf));
  return accessChanges(before, after, within).flatMap((change) => {
    const { who, before: level } = change;
    if (who === undefined || level === 'none' || !loses(change) || mentioned.has(idOf(who))) return [];
    return [{ ...who, level }];
  });
}

/** Whom rules leave to the namespace, in words; undefined where they don't. */
export function restOf(rules: AccessRules, namespace: string): string | undefined {
  if (hasRules(rules)) return undefined;
  return sharesOf(rules).length === 0
    ? `Everyone with access to the namespace ${namespace}`
    : `Everyone who can manage Secrets in the namespace ${namespace}`;
}

function personOf(who: Principal | undefined) {
  return {
    email: who?.kind === 'users' ? who.entry : '',
    groups: who?.kind === 'groups' ? [who.entry] : [],
  };
}
