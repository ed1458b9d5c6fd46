/**
 * What is wrong with the certificate and the key of a TLS Secret. The cluster accepts any content, and so does the
 * service, so these are warnings. The service reads certificates with its own library, the pages with another: both
 * gather the facts, and the conclusions are here. The texts are constants, safe for a response header.
 */
export const TLS_WARNINGS = {
  certificateUnreadable: 'tls.crt does not begin with a certificate (PEM) that can be read',
  chainUnreadable: 'tls.crt contains a certificate that cannot be read',
  expired: 'The certificate in tls.crt has expired',
  notYetValid: 'The certificate in tls.crt is not valid yet',
  issuerExpired: 'An issuer in tls.crt has expired',
  chainOrder: 'A certificate in tls.crt is not followed by its issuer',
  chainMissing:
    'tls.crt contains no issuer of its certificate: clients that do not know it refuse the connection',
  keyUnreadable: 'tls.key contains no private key (PEM) that can be read',
  keyEncrypted: 'tls.key is encrypted: most servers cannot use it',
  keyMismatch: 'tls.key is not the key of the certificate in tls.crt',
} as const;

export type TlsWarning = keyof typeof TLS_WARNINGS;

/** A value is read up to here: certificates and keys have a few KiB. */
export const MAX_PEM_BYTES = 65_536;
/** Certificates that are read of a chain. */
export const MAX_CHAIN = 10;

export interface CertificateFacts {
  /** Milliseconds since 1970. */
  readonly notBefore: number;
  readonly notAfter: number;
  readonly isSelfIssued: boolean;
  /** Whether the next certificate in `tls.crt` can be its issuer; undefined if there is none. */
  readonly isIssuedByNext: boolean | undefined;
}

export interface TlsFacts {
  /** The certificates of `tls.crt` in their order; undefined is one that cannot be read. */
  readonly chain: readonly (CertificateFacts | undefined)[];
  /** `unknown`: readable, but whether it fits cannot be determined here. */
  readonly key: 'matches' | 'differs' | 'unknown' | 'unreadable' | 'encrypted';
  /** Whether `ca.crt` contains the issuer of the last certificate. */
  readonly hasIssuerInCa: boolean;
}

const KEY_WARNINGS: Readonly<Partial<Record<TlsFacts['key'], TlsWarning>>> = {
  unreadable: 'keyUnreadable',
  encrypted: 'keyEncrypted',
  differs: 'keyMismatch',
};

/** What a person should know of these values, in the order of the values. */
export function tlsWarnings(facts: TlsFacts, now: number): readonly TlsWarning[] {
  const ofKey = KEY_WARNINGS[facts.key];
  return [...chainWarnings(facts, now), ...(ofKey === undefined ? [] : [ofKey])];
}

function chainWarnings({ chain, hasIssuerInCa }: TlsFacts, now: number): readonly TlsWarning[] {
  const [leaf, ...issuers] = chain;
  if (leaf === undefined) return ['certificateUnreadable'];
  const readable = issuers.filter((issuer) => issuer !== undefined);
  const isWhole = readable.length === issuers.length;
  const isAlone = issuers.length === 0 && !leaf.isSelfIssued && !hasIssuerInCa;
  const found: readonly (readonly [TlsWarning, boolean])[] = [
    ['expired', leaf.notAfter < now],
    ['notYetValid', leaf.notBefore > now],
    ['issuerExpired', readable.some(({ notAfter }) => notAfter < now)],
    ['chainUnreadable', !isWhole],
    ['chainOrder', isWhole && [leaf, ...readable].some(({ isIssuedByNext }) => isIssuedByNext === false)],
    ['chainMissing', isAlone],
  ];
  return found.filter(([, holds]) => holds).map(([warning]) => warning);
}
