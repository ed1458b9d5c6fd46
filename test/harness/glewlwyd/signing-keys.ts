import { generateKeyPairSync, randomBytes } from 'node:crypto';

/** A private key as it stands in a provider's key set (RFC 7517), with the one algorithm that it signs with. */
export interface SigningKey {
  readonly kid: string;
  readonly alg: SignatureAlgorithm;
}

const MAKERS = {
  RS256: rsa,
  RS384: rsa,
  RS512: rsa,
  PS256: rsa,
  PS384: rsa,
  PS512: rsa,
  ES256: () => ellipticCurve('P-256'),
  ES384: () => ellipticCurve('P-384'),
  ES512: () => ellipticCurve('P-521'),
  EdDSA: () => jwk(generateKeyPairSync('ed25519')),
  HS256: () => ({ kty: 'oct', k: randomBytes(32).toString('base64url') }),
} as const;

export type SignatureAlgorithm = keyof typeof MAKERS;

/** The algorithms that Glewlwyd signs with and this service accepts. */
export const ACCEPTED_ALGORITHMS = (Object.keys(MAKERS) as SignatureAlgorithm[]).filter(
  (alg) => alg !== 'HS256',
);

/** Makes a key of the tests' own. */
export function makeSigningKey(alg: SignatureAlgorithm): SigningKey {
  return { ...MAKERS[alg](), kid: `${alg}-${randomBytes(4).toString('hex')}`, alg };
}

function rsa() {
  return jwk(generateKeyPairSync('rsa', { modulusLength: 2_048 }));
}

function ellipticCurve(namedCurve: string) {
  return jwk(generateKeyPairSync('ec', { namedCurve }));
}

function jwk({ privateKey }: ReturnType<typeof generateKeyPairSync>) {
  return privateKey.export({ format: 'jwk' });
}
