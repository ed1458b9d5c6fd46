import { emailKey } from './email.ts';

/** What someone may do with a Secret. Each level includes those before it. */
export const ACCESS_LEVELS = ['read', 'write', 'manage'] as const;
export type AccessLevel = (typeof ACCESS_LEVELS)[number];
/** What a decision gives. */
export type GivenLevel = AccessLevel | 'none';

const IN_ORDER: readonly GivenLevel[] = ['none', ...ACCESS_LEVELS];

export function includesLevel(given: GivenLevel, wanted: AccessLevel): boolean {
  return IN_ORDER.indexOf(given) >= IN_ORDER.indexOf(wanted);
}

/** Everyone in these lists has a level: by exact group, or by email. */
export const LISTS_OF = {
  manage: { groups: 'allowedGroups', users: 'allowedUsers' },
  write: { groups: 'writerGroups', users: 'writerUsers' },
  read: { groups: 'readerGroups', users: 'readerUsers' },
} as const;
const HIGHEST_FIRST = ['manage', 'write', 'read'] as const satisfies readonly AccessLevel[];

const ADDING_LISTS = ['writerGroups', 'writerUsers', 'readerGroups', 'readerUsers'] as const;
export const RULE_LISTS = ['allowedGroups', 'allowedUsers', ...ADDING_LISTS] as const;
export type RuleList = (typeof RULE_LISTS)[number];

/**
 * Who has access. With both allowed lists empty there is no rule about who manages. Lists of writers and readers only
 * ever add, and are left out where they are empty, as nearly everywhere.
 */
export interface AccessRules extends Readonly<
  Partial<Record<(typeof ADDING_LISTS)[number], readonly string[]>>
> {
  readonly allowedGroups: readonly string[];
  readonly allowedUsers: readonly string[];
}

/** What a write sets of them. Undefined keeps the stored list. */
export type RuleEdit = Readonly<Partial<Record<RuleList, readonly string[] | undefined>>>;

/** Rules whose users are keys already, for decisions about many Secrets. */
export interface KeyedRules extends AccessRules {
  readonly areKeys: true;
}

/** The rules alone, of something that has more. */
export function rulesOf(given: AccessRules): AccessRules {
  const { allowedGroups, allowedUsers } = given;
  const adding = ADDING_LISTS.filter((list) => (given[list]?.length ?? 0) > 0);
  return { allowedGroups, allowedUsers, ...Object.fromEntries(adding.map((list) => [list, given[list]])) };
}

/** Makes the keys of the entries once. */
export function keyedRules(given: AccessRules): KeyedRules {
  const rules = rulesOf(given);
  const { allowedUsers, writerUsers, readerUsers } = rules;
  return {
    ...rules,
    allowedUsers: allowedUsers.map(emailKey),
    ...(writerUsers && { writerUsers: writerUsers.map(emailKey) }),
    ...(readerUsers && { readerUsers: readerUsers.map(emailKey) }),
    areKeys: true,
  };
}

/** Whether there are rules about who manages. */
export function hasRules({ allowedGroups, allowedUsers }: AccessRules): boolean {
  return allowedGroups.length > 0 || allowedUsers.length > 0;
}

/** Whether any of the six lists has an entry. */
export function hasAnyList(rules: AccessRules): boolean {
  return hasRules(rules) || ADDING_LISTS.some((list) => (rules[list]?.length ?? 0) > 0);
}

interface Person {
  readonly email: string;
  readonly groups: readonly string[];
}

/** The highest level whose lists name a user: groups exactly, emails ignoring case. */
export function levelIn(user: Person, rules: AccessRules | KeyedRules): GivenLevel {
  const email = emailKey(user.email);
  const isNamed = (users: readonly string[]): boolean =>
    'areKeys' in rules ? users.includes(email) : users.some((listed) => emailKey(listed) === email);
  for (const level of HIGHEST_FIRST) {
    const { groups, users } = LISTS_OF[level];
    if (haveCommon(user.groups, rules[groups] ?? []) || isNamed(rules[users] ?? [])) return level;
  }
  return 'none';
}

/**
 * The level on a Secret with these rules, of someone who is no administrator and has a level in its namespace. Who
 * manages is for the namespace to say where the Secret has no rules about it; the namespace's writers and readers count
 * only where it has no lists at all.
 */
export function levelOn(user: Person, own: AccessRules, inNamespace: GivenLevel): GivenLevel {
  if (!hasAnyList(own)) return inNamespace;
  return !hasRules(own) && inNamespace === 'manage' ? 'manage' : levelIn(user, own);
}

/** The limit for comparing each entry with each, which is fastest for short lists. */
const MOST_COMPARISONS = 256;

/** Whether two lists share an entry. A policy may list a hundred thousand groups, and a session carry hundreds. */
export function haveCommon(left: readonly string[], right: readonly string[]): boolean {
  if (left.length * right.length <= MOST_COMPARISONS) return left.some((entry) => right.includes(entry));
  const [fewer, more] = left.length < right.length ? [left, right] : [right, left];
  const wanted = new Set(fewer);
  return more.some((entry) => wanted.has(entry));
}
