import { createPrivateKey, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { bits, der, integer, octets, oid, pem, sequence } from './der.ts';

/** A server's key and certificate; the certificate is its own CA unless an issuer was named. */
export interface TestCertificate {
  readonly commonName: string;
  readonly key: string;
  readonly cert: string;
}

export interface CertificateOptions {
  readonly issuer?: TestCertificate;
  /** Instead of the one that belongs to `key`. */
  readonly publicKey?: KeyObject;
  /** Seconds from now. */
  readonly validFrom?: number;
  readonly validTo?: number;
}

/**
 * Makes a certificate for 127.0.0.1 and `localhost`, by default self-signed and good for a day (RFC 5280, in
 * DER by hand, because Node has no maker of certificates and keys do not belong in a repository).
 */
export function makeCertificate(
  commonName: string,
  { issuer, validFrom = -3_600, validTo = 86_400, ...options }: CertificateOptions = {},
): TestCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
  const nameOf = (text: string) => sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(text)))));
  const now = Date.now();
  const body = sequence(
    der(0xa0, integer(Buffer.of(2))),
    der(0x02, Buffer.concat([Buffer.of(0x01), randomBytes(8)])),
    ecdsaWithSha256,
    nameOf(issuer?.commonName ?? commonName),
    sequence(utcTime(now + validFrom * 1_000), utcTime(now + validTo * 1_000)),
    nameOf(commonName),
    (options.publicKey ?? publicKey).export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(authority(), alternativeNames())),
  );
  const signature = sign('sha256', body, issuer === undefined ? privateKey : createPrivateKey(issuer.key));
  const certificate = sequence(body, ecdsaWithSha256, bits(signature));
  return {
    commonName,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: pem('CERTIFICATE', certificate),
  };
}

/** basicConstraints: a CA. */
function authority(): Buffer {
  return sequence(oid('551d13'), octets(sequence(der(0x01, Buffer.of(0xff)))));
}

/** subjectAltName: DNS localhost, IP 127.0.0.1. */
function alternativeNames(): Buffer {
  const names = sequence(der(0x82, Buffer.from('localhost')), der(0x87, Buffer.of(127, 0, 0, 1)));
  return sequence(oid('551d11'), octets(names));
}

function utcTime(ms: number): Buffer {
  const text = new Date(ms).toISOString().replace(/^..(..)-(..)-(..)T(..):(..):(..).*$/, '$1$2$3$4$5$6Z');
  return der(0x17, Buffer.from(text));
}
