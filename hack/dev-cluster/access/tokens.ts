import { createHmac, randomUUID, timingSafeEqual, type KeyObject } from 'node:crypto';
import { asText, at, isObject, listAt, objectAt, textAt, type Json } from '../json/json.ts';

/** Whom a service account token speaks for. The uid ends it when the account is deleted, even if made again. */
export interface AccountClaims {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** The pod whose deletion ends the token, too. */
  readonly pod?: { readonly name: string; readonly uid: string };
}

/** What a token says. */
export interface ReadToken {
  readonly account: AccountClaims;
  readonly audiences: readonly string[];
  readonly id: string;
}

export const ISSUER = 'https://kubernetes.default.svc.cluster.local';
const HEADER = encode({ alg: 'HS256', typ: 'JWT' });

/** A signed token for a service account, valid until `expires`. */
export function issueToken(
  key: Buffer,
  claims: AccountClaims,
  times: { readonly issued: Date; readonly expires: Date },
  audiences: readonly string[],
): string {
  const payload = encode({
    aud: [...audiences],
    exp: Math.floor(times.expires.getTime() / 1000),
    iat: Math.floor(times.issued.getTime() / 1000),
    iss: ISSUER,
    jti: randomUUID(),
    'kubernetes.io': {
      namespace: claims.namespace,
      ...(claims.pod !== undefined && { pod: { ...claims.pod } }),
      serviceaccount: { name: claims.name, uid: claims.uid },
    },
    sub: `system:serviceaccount:${claims.namespace}:${claims.name}`,
  });
  return `${HEADER}.${payload}.${signature(key, payload)}`;
}

/** What a token says that this key signed and that has not expired, or undefined. */
export function readToken(key: Buffer | KeyObject, token: string, now: Date): ReadToken | undefined {
  const [header, payload = '', given = '', ...more] = token.split('.');
  if (header !== HEADER || more.length > 0) return undefined;
  if (!isSameText(given, signature(key, payload))) return undefined;
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Json;
  const expires = at(claims, 'exp');
  if (!isObject(claims) || typeof expires !== 'number' || expires * 1000 <= now.getTime()) return undefined;
  const bound = objectAt(claims, 'kubernetes.io');
  const pod = objectAt(bound, 'pod');
  const account = {
    namespace: textAt(bound, 'namespace'),
    name: textAt(bound, 'serviceaccount', 'name'),
    uid: textAt(bound, 'serviceaccount', 'uid'),
    ...(pod !== undefined && { pod: { name: textAt(pod, 'name'), uid: textAt(pod, 'uid') } }),
  };
  return { account, audiences: listAt(claims, 'aud').map(asText), id: textAt(claims, 'jti') };
}

/** Compares in constant time. */
export function isSameText(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.byteLength === other.byteLength && timingSafeEqual(one, other);
}

function encode(value: Json): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function signature(key: Buffer | KeyObject, payload: string): string {
  return createHmac('sha256', key).update(`${HEADER}.${payload}`).digest('base64url');
}
