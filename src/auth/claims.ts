import type { SessionUser } from '../access/actor.ts';

/** Claims as the provider sent them: any JSON. */
export type Claims = Readonly<Record<string, unknown>>;

export interface ClaimNames {
  readonly usernameClaim: string;
  readonly nameClaim: string;
  readonly groupsClaim: string;
}

/** The user that the claims describe, or the claim that is missing. */
export type MappedUser =
  | { readonly user: SessionUser; readonly missing?: never }
  | { readonly user?: never; readonly missing: 'subject' | 'email' };

/** Where groups are looked for after the configured claim, in this order (contract, "Claim mapping"). */
const FURTHER_GROUP_CLAIMS = ['groups', 'roles', 'realm_access.roles'] as const;

export function mapClaims(claims: Claims, names: ClaimNames): MappedUser {
  const sub = usableText(claimAt(claims, 'sub'));
  if (sub === undefined) return { missing: 'subject' };
  const email = usableText(claimAt(claims, names.usernameClaim))?.trim();
  if (email === undefined) return { missing: 'email' };
  const name = usableText(claimAt(claims, names.nameClaim)) ?? email;
  return { user: { sub, email, name, groups: groupsOf(claims, names.groupsClaim) } };
}

/** The first candidate that holds at least one usable name. */
function groupsOf(claims: Claims, groupsClaim: string): readonly string[] {
  for (const path of [groupsClaim, ...FURTHER_GROUP_CLAIMS]) {
    const candidate = claimAt(claims, path);
    if (!Array.isArray(candidate)) continue;
    const groups = candidate.filter((entry) => usableText(entry) !== undefined) as string[];
    if (groups.length > 0) return groups;
  }
  return [];
}

/**
 * The claim at a dotted path. A claim whose own name has dots wins (Auth0 wants names such as
 * `https://example.com/groups`). Own properties only: `constructor.name` is nobody's group.
 */
export function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  let current: unknown = claims;
  for (const segment of path.split('.')) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, segment)) return undefined;
    current = (current as Claims)[segment];
  }
  return current;
}

/** Nonblank, and encodable as UTF-8 without loss. */
function usableText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' && value.isWellFormed() ? value : undefined;
}
