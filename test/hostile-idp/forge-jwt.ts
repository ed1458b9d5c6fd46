import { createHmac, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';

export type KeyName = 'own' | 'foreign' | 'next' | 'ec';

export interface SigningKey {
  readonly algorithm: 'RS256' | 'ES256';
  readonly privateKey: KeyObject;
  readonly publicPem: string;
  readonly publicJwk: Readonly<Record<string, unknown>>;
}

export type SigningKeys = Readonly<Record<KeyName, SigningKey>>;

export function createSigningKeys(): SigningKeys {
  const rsa = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    own: signingKey('own', 'RS256', rsa()),
    // Published nowhere, and named like the provider's own.
    foreign: signingKey('own', 'RS256', rsa()),
    next: signingKey('next', 'RS256', rsa()),
    ec: signingKey('ec', 'ES256', generateKeyPairSync('ec', { namedCurve: 'P-256' })),
  };
}

function signingKey(
  kid: string,
  algorithm: SigningKey['algorithm'],
  { privateKey, publicKey }: { readonly privateKey: KeyObject; readonly publicKey: KeyObject },
): SigningKey {
  return {
    algorithm,
    privateKey,
    publicPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    publicJwk: { ...publicKey.export({ format: 'jwk' }), use: 'sig', alg: algorithm, kid },
  };
}

/** Spells a JWT by hand, so that nothing keeps the test from forging what no library would sign; a text is taken as it is. */
export function spellJwt(
  header: unknown,
  claims: unknown,
  signature: (signingInput: string) => Buffer,
): string {
  const part = (value: unknown): string =>
    Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
  const input = `${part(header)}.${part(claims)}`;
  return `${input}.${signature(input).toString('base64url')}`;
}

export function rs256(key: KeyObject): (signingInput: string) => Buffer {
  return (input) => sign('sha256', Buffer.from(input), key);
}

/** The signature that belongs to the key. */
export function signedBy({ algorithm, privateKey }: SigningKey): (signingInput: string) => Buffer {
  if (algorithm === 'RS256') return rs256(privateKey);
  return (input) => sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });
}

export function hmac(hash: 'sha256' | 'sha384' | 'sha512', secret: string | Buffer) {
  return (input: string): Buffer => createHmac(hash, secret).update(input).digest();
}
