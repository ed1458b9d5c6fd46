import {
  decodeJwt,
  decodeProtectedHeader,
  errors,
  jwtVerify,
  UnsecuredJWT,
  type JWTPayload,
  type JWTVerifyGetKey,
} from 'jose';
import type { MachineToken } from '../../access/actor.ts';
import { bearerRefused } from '../../access/machine-bindings.ts';
import type { TrustedIssuer } from '../../config/trusted-issuers.ts';
import { claimsMatch } from '../../contract/token-claims.ts';
import { isServiceError, type ServiceError } from '../../errors/service-error.ts';
import type { Deadline } from '../../timing/deadline.ts';

/** Why a token is refused, with a text for the doctor. Its sender is given one text for all of them. */
export const TOKEN_REFUSALS = {
  malformed: 'A part of it is malformed.',
  tooLong: 'It is longer than 8 KiB.',
  headerForbidden: 'Its header has jku, jwk, x5u, x5c or crit.',
  issuerUnknown: 'Its issuer is not trusted.',
  algorithm: 'It is signed by an algorithm that is not accepted for its key: only asymmetric ones are.',
  keyUnknown: 'It is signed by a key that the issuer does not publish.',
  keyAmbiguous: 'It names no key, and more than one fits.',
  keyUnusable: 'The key of the issuer cannot be used, or is too short.',
  signature: 'Its signature is wrong.',
  audience: 'It is for another audience.',
  expired: 'It has expired: request a new one for each job.',
  notYetValid: 'It is not valid yet. Check the clocks.',
  issuedAt: 'It was issued in the future, or more than 24 hours ago. Check the clocks.',
  lifetime: 'It is valid for more than 24 hours.',
  requiredClaims: 'It lacks a required claim.',
  notAuthenticated: 'The cluster does not accept it: it has expired, or its pod or account is gone.',
  noServiceAccount: 'It is of no service account.',
} as const;

type TokenRefusal = keyof typeof TOKEN_REFUSALS;

const refused = (reason: TokenRefusal): ServiceError => bearerRefused(reason);

/** A token whose signature and claims hold, and until when. */
export interface VerifiedToken {
  readonly claims: MachineToken['claims'];
  readonly issuedMs: number;
  readonly expiresMs: number;
}

/** Asymmetric ones: with a symmetric one, whoever has the published key could sign. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

/** Keys or addresses that a token brings itself, and extensions that must be understood (RFC 7515, section 4.1). */
const FORBIDDEN_HEADERS = ['jku', 'jwk', 'x5u', 'x5c', 'crit'];

const MAX_TOKEN_CHARACTERS = 8_192;
const TOKEN = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;
const MAX_LIFETIME_SECONDS = 86_400;
const TOLERANCE_SECONDS = 60;

/**
 * The issuer that a token names. Nothing is verified yet, and no request is sent for an issuer that is not trusted.
 * @throws {ServiceError} `unauthenticated`
 */
export function issuerOfToken<Issuer extends TrustedIssuer>(
  token: string,
  issuers: readonly Issuer[],
): Issuer {
  if (token.length > MAX_TOKEN_CHARACTERS) throw refused('tooLong');
  if (!TOKEN.test(token)) throw refused('malformed');
  const { header, iss } = decoded(token);
  if (FORBIDDEN_HEADERS.some((name) => Object.hasOwn(header, name))) throw refused('headerForbidden');
  const issuer = issuers.find((known) => known.issuer === iss);
  if (issuer === undefined) throw refused('issuerUnknown');
  return issuer;
}

function decoded(token: string): { readonly header: object; readonly iss: unknown } {
  try {
    return { header: decodeProtectedHeader(token), iss: decodeJwt<{ readonly iss?: unknown }>(token).iss };
  } catch {
    throw refused('malformed'); // The messages may quote the token.
  }
}

/**
 * Verifies a token by the keys of its issuer.
 * @throws {ServiceError} `unauthenticated`, or `unavailable` without usable keys
 */
export async function verifyToken(
  token: string,
  issuer: TrustedIssuer,
  findKey: JWTVerifyGetKey,
  nowMs: number,
): Promise<VerifiedToken> {
  try {
    const rules = { ...claimRules(issuer, nowMs), algorithms: ALGORITHMS };
    return accepted((await jwtVerify(token, findKey, rules)).payload, issuer);
  } catch (error) {
    throw refusalOf(error);
  }
}

function claimRules({ issuer, audience }: TrustedIssuer, nowMs: number) {
  return {
    issuer,
    audience,
    requiredClaims: ['exp', 'iat'],
    // Without it, a token from the future would be accepted.
    maxTokenAge: MAX_LIFETIME_SECONDS,
    clockTolerance: TOLERANCE_SECONDS,
    currentDate: new Date(nowMs),
  };
}

/** @throws {ServiceError} `unauthenticated` */
function accepted(payload: JWTPayload, { requiredClaims }: TrustedIssuer): VerifiedToken {
  const { iat = 0, exp = Infinity } = payload;
  if (!(exp - iat <= MAX_LIFETIME_SECONDS)) throw refused('lifetime');
  if (!claimsMatch(payload, requiredClaims)) throw refused('requiredClaims');
  return { claims: payload, issuedMs: iat * 1_000, expiresMs: (exp + TOLERANCE_SECONDS) * 1_000 };
}

/** Whom the cluster authenticates by a token, and for which audiences; undefined for no one. */
export type ReviewToken = (
  token: string,
  audience: string,
  deadline: Deadline,
) => Promise<{ readonly username: unknown; readonly audiences: readonly unknown[] } | undefined>;

/** The header of an unsecured token (RFC 7519, section 6): jose checks the claims of one without a key. */
const UNSECURED = Buffer.from('{"alg":"none"}').toString('base64url');

/**
 * Verifies a token by the cluster that issued it, once its claims hold: what cannot be accepted causes no request.
 * @throws {ServiceError} `unauthenticated`, or another when the cluster cannot say
 */
export async function verifyByCluster(
  token: string,
  issuer: TrustedIssuer,
  review: () => ReturnType<ReviewToken>,
  nowMs: number,
): Promise<VerifiedToken> {
  const verified = claimsOf(token, issuer, nowMs);
  const reviewed = await review();
  if (reviewed === undefined) throw refused('notAuthenticated');
  if (!reviewed.audiences.includes(issuer.audience)) throw refused('audience');
  const { username } = reviewed;
  const isServiceAccount = typeof username === 'string' && username.startsWith('system:serviceaccount:');
  if (!isServiceAccount || verified.claims['sub'] !== username) throw refused('noServiceAccount');
  return verified;
}

function claimsOf(token: string, issuer: TrustedIssuer, nowMs: number): VerifiedToken {
  try {
    const unsecured = `${UNSECURED}.${token.split('.')[1] ?? ''}.`;
    return accepted(UnsecuredJWT.decode(unsecured, claimRules(issuer, nowMs)).payload, issuer);
  } catch (error) {
    throw refusalOf(error);
  }
}

/** By the claim that does not hold, or by the code of another error of jose. */
const REFUSAL_OF: Readonly<Record<string, TokenRefusal>> = {
  aud: 'audience',
  exp: 'expired',
  iat: 'issuedAt',
  nbf: 'notYetValid',
  [errors.JOSEAlgNotAllowed.code]: 'algorithm',
  [errors.JWKSNoMatchingKey.code]: 'keyUnknown',
  [errors.JWKSMultipleMatchingKeys.code]: 'keyAmbiguous',
  [errors.JWSSignatureVerificationFailed.code]: 'signature',
};

/** By type and code alone: messages and causes hold claims. */
function refusalOf(error: unknown): ServiceError {
  if (isServiceError(error)) return error;
  if (error instanceof errors.JOSEError) {
    const claim = 'claim' in error ? String(error.claim) : error.code;
    return refused(REFUSAL_OF[claim] ?? 'malformed');
  }
  // A key that cannot be imported, or that is too short for its algorithm.
  return refused('keyUnusable');
}
