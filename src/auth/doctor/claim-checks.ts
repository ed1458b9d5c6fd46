import { printable } from '../../contract/printable.ts';
import type { OidcSettings } from '../../config/settings.ts';
import {
  claimAt,
  findGroups,
  groupClaimPaths,
  mergedClaims,
  type ClaimDocuments,
  type Claims,
} from '../login/claims.ts';
import { note, ok, seen, type CheckResult } from './check-result.ts';

const MAX_CLAIMS = 100;
const MAX_NAME = 120;

/**
 * The names of the claims with types and counts, never a value. Names within objects are left out, since they may be
 * values.
 */
export function describeClaims({ idToken, userInfo = {} }: ClaimDocuments, oidc: OidcSettings) {
  return [...describeDocument('ID token', idToken, oidc), ...describeDocument('UserInfo', userInfo, oidc)];
}

function describeDocument(step: string, document: Claims, oidc: OidcSettings): readonly CheckResult[] {
  const names = Object.keys(document);
  const nested = [oidc.usernameClaim, oidc.nameClaim, ...groupClaimPaths(oidc.groupsClaim)].filter(
    (path) => !Object.hasOwn(document, path) && claimAt(document, path) !== undefined,
  );
  const lines = [...names.slice(0, MAX_CLAIMS), ...new Set(nested)].map((path) =>
    seen(step, `${printable(path, MAX_NAME)}: ${typeOf(claimAt(document, path))}`),
  );
  const more = names.length - MAX_CLAIMS;
  return more > 0 ? [...lines, seen(step, `and ${more} more`)] : lines;
}

function typeOf(value: unknown): string {
  if (typeof value === 'string') return value.trim() === '' ? 'blank text' : 'text';
  if (typeof value === 'boolean') return 'true or false';
  if (Array.isArray(value)) return `list of ${value.length}, ${typesOf(value)}`;
  if (typeof value !== 'object') return typeof value;
  if (value === null) return 'null';
  const count = Object.keys(value).length;
  return `object with ${count} ${count === 1 ? 'member' : 'members'}`;
}

function typesOf(list: readonly unknown[]): string {
  if (list.every((entry) => typeof entry === 'string')) return 'all texts';
  return list.some((entry) => typeof entry === 'string') ? 'not all texts' : 'no texts';
}

/** What the service derives from the claims of someone whom it signs in. */
export function examineClaims(documents: ClaimDocuments, oidc: OidcSettings, keptGroups: number) {
  return [
    ok('email', `the service takes ${oidc.usernameClaim}, from ${sourceOf(documents, oidc.usernameClaim)}`),
    emailVerified(documents, oidc),
    groups(documents, oidc, keptGroups),
  ];
}

function emailVerified(documents: ClaimDocuments, oidc: OidcSettings): CheckResult {
  const step = 'email_verified';
  if (oidc.usernameClaim !== 'email') return note(step, 'not looked at: OIDC_USERNAME_CLAIM is not email');
  const flag = sourceDocument(documents, 'email')[step];
  if (flag === true || flag === 'true') return ok(step, 'says that the email is verified');
  return flag === undefined
    ? note(step, 'absent, which is accepted. Make sure that people cannot set their own email.')
    : note(step, 'does not say so, and is not looked at because of OIDC_ALLOW_UNVERIFIED_EMAIL=true');
}

function groups(documents: ClaimDocuments, oidc: OidcSettings, keptGroups: number): CheckResult {
  const found = findGroups(mergedClaims(documents), oidc.groupsClaim);
  if (found === undefined) {
    const paths = groupClaimPaths(oidc.groupsClaim).join(', ');
    return note('groups', `none: no text and no list of texts in ${paths}`);
  }
  const text = `${found.groups.length} from ${found.path}, from ${sourceOf(documents, found.path)}`;
  const isFiltered = found.groups.length !== keptGroups;
  return ok('groups', isFiltered ? `${text}; SERVICE_GROUPS_FILTER keeps ${keptGroups}` : text);
}

function sourceOf(documents: ClaimDocuments, path: string): string {
  return sourceDocument(documents, path) === documents.userInfo ? 'UserInfo' : 'the ID token';
}

/** UserInfo's claims take precedence. */
function sourceDocument({ idToken, userInfo }: ClaimDocuments, path: string): Claims {
  return userInfo !== undefined && claimAt(userInfo, path) !== undefined ? userInfo : idToken;
}
