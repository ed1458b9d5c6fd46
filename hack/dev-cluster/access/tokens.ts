import { createHmac, timingSafeEqual } from 'node:crypto';
import { isObject, objectAt, textAt, at, type Json } from '../json/json.ts';

/** Whom a service account token speaks for. The uid ends it when the account is deleted, even if made again. */
export interface AccountClaims {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

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
    iss: 'https://kubernetes.default.svc.cluster.local',
    'kubernetes.io': {
      namespace: claims.namespace,
      serviceaccount: { name: claims.name, uid: claims.uid },
    },
    sub: `system:serviceaccount:${claims.namespace}:${claims.name}`,
  });
  return `${HEADER}.${payload}.${signature(key, payload)}`;
}

/** The claims of a token that this key signed and that has not expired, or undefined. */
export function readToken(key: Buffer, token: string, now: Date): AccountClaims | undefined {
  const [header, payload = '', given = '', ...more] = token.split('.');
  if (header !== HEADER || more.length > 0) return undefined;
  const expected = Buffer.from(signature(key, payload));
  const actual = Buffer.from(given);
  if (expected.length !== actual.length || !timingSafeEqual(expected, actual)) return undefined;
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Json;
  const expires = at(claims, 'exp');
  if (!isObject(claims) || typeof expires !== 'number' || expires * 1000 <= now.getTime()) return undefined;
  const account = objectAt(claims, 'kubernetes.io');
  return {
    namespace: textAt(account, 'namespace'),
    name: textAt(account, 'serviceaccount', 'name'),
    uid: textAt(account, 'serviceaccount', 'uid'),
  };
}

function encode(value: Json): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function signature(key: Buffer, payload: string): string {
  return createHmac('sha256', key).update(`${HEADER}.${payload}`).digest('base64url');
}
