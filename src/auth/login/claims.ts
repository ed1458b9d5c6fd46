import type { SessionUser } from '../../access/actor.ts';
import type { OidcSettings } from '../../config/settings.ts';
import { emailKey, isIdentity } from '../../contract/email.ts';
import { claimAt as claimAtPointer } from '../../contract/token-claims.ts';

/** Claims as the provider sent them: any JSON. */
export type Claims = Readonly<Record<string, unknown>>;

/** What the provider says about one person: the validated ID token, and UserInfo if it was read. */
export interface ClaimDocuments {
  readonly idToken: Claims;
  readonly userInfo?: Claims | undefined;
}

/** The settings that the claims are read by. */
export type ClaimRules = Pick<
  OidcSettings,
  'usernameClaim' | 'nameClaim' | 'groupsClaim' | 'allowUnverifiedEmail'
>;

/** The claims that may hold groups besides the configured one, in this order (contract, "Claim mapping"). */
const FURTHER_GROUP_CLAIMS = ['groups', 'roles', 'realm_access.roles'] as const;

/** UserInfo's claims take precedence over those of the ID token, except for the subject, which is the validated one. */
export function mergedClaims({ idToken, userInfo }: ClaimDocuments): Claims {
  return { ...idToken, ...userInfo, sub: idToken['sub'] };
}

/** The user that the claims describe by the configured rules, or why there is none. */
export function mapClaims(documents: ClaimDocuments, rules: ClaimRules) {
  const claims = mergedClaims(documents);
  const sub = usableText(claimAt(claims, 'sub'));
  if (sub === undefined) return { refused: 'subject_missing' } as const;
  const email = usableText(claimAt(claims, rules.usernameClaim));
  if (email === undefined) return { refused: 'email_missing' } as const;
  if (!isIdentity(email)) return { refused: 'email_invalid' } as const;
  if (rules.usernameClaim === 'email' && !rules.allowUnverifiedEmail && isUnverified(email, documents)) {
    return { refused: 'email_unverified' } as const;
  }
  const name = usableText(claimAt(claims, rules.nameClaim)) ?? email;
  const user: SessionUser = { sub, email, name, groups: findGroups(claims, rules.groupsClaim)?.groups ?? [] };
  return { user };
}

/**
 * Whether a document that gave this very email says that it is not verified (OpenID Connect Core 1.0, section 5.1). The
 * flag of a document with another email, or with none, does not count. An absent flag is accepted. Of the values only
 * `true` means "verified"; some providers send it as a string.
 */
function isUnverified(email: string, { idToken, userInfo }: ClaimDocuments): boolean {
  return [idToken, userInfo ?? {}].some(
    (document) =>
      Object.hasOwn(document, 'email_verified') &&
      isSameEmail(document['email'], email) &&
      document['email_verified'] !== true &&
      document['email_verified'] !== 'true',
  );
}

function isSameEmail(value: unknown, email: string): boolean {
  return typeof value === 'string' && emailKey(value) === emailKey(email);
}

/** The claims that may hold groups, in this order. */
export function groupClaimPaths(groupsClaim: string): readonly string[] {
  return [...new Set([groupsClaim, ...FURTHER_GROUP_CLAIMS])];
}

/** The first candidate with at least one usable name. A string counts as a list of one. */
export function findGroups(claims: Claims, groupsClaim: string) {
  for (const path of groupClaimPaths(groupsClaim)) {
    const candidate = claimAt(claims, path);
    const entries: readonly unknown[] = Array.isArray(candidate) ? candidate : [candidate];
    const groups = new Set(entries.flatMap((entry) => usableText(entry) ?? []));
    if (groups.size > 0) return { path, groups: [...groups] };
  }
  return undefined;
}

/**
 * The claim at a dotted path. A claim whose name contains the dots takes precedence (Auth0 requires names such as
 * `https://example.com/groups`). Only own properties are read, so `constructor.name` is never a group.
 */
export function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  const pointer = path.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('.', '/');
  return claimAtPointer(claims, `/${pointer}`);
}

/** Not blank, and encodable as UTF-8 without loss. */
function usableText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' && value.isWellFormed() ? value : undefined;
}
