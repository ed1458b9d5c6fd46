import { createHmac, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';

export interface SigningKeys {
  readonly own: KeyObject;
  readonly ownPublicPem: string;
  readonly ownPublicJwk: Readonly<Record<string, unknown>>;
  readonly foreign: KeyObject;
}

export function createSigningKeys(): SigningKeys {
  const own = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    own: own.privateKey,
    ownPublicPem: own.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    ownPublicJwk: { ...own.publicKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'own' },
    foreign: foreign.privateKey,
  };
}

/** Spells a JWT by hand, so that nothing keeps the test from forging what no library would sign. */
export function spellJwt(
  header: unknown,
  claims: unknown,
  signature: (signingInput: string) => Buffer,
): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const input = `${part(header)}.${part(claims)}`;
  return `${input}.${signature(input).toString('base64url')}`;
}

export function rs256(key: KeyObject): (signingInput: string) => Buffer {
  return (input) => sign('sha256', Buffer.from(input), key);
}

export function hmac(hash: 'sha256' | 'sha384' | 'sha512', secret: string | Buffer) {
  return (input: string): Buffer => createHmac(hash, secret).update(input).digest();
}
