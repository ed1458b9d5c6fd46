import { certificateFields } from '../../../src/contract/certificate-fields.ts';
import { childrenOf, oidOf, readDer, required, type DerElement } from '../../../src/contract/der.ts';
import { bytesOfBase64 } from './bytes.ts';
import { alternativeNames, distinguishedName } from './certificate-names.ts';

/** What a certificate says of itself (RFC 5280); nothing in it is secret. */
export interface Certificate {
  readonly subject: string;
  readonly issuer: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** Subject alternative names: DNS names, addresses, URIs, and whatever else there is. */
  readonly names: readonly string[];
}

const PEM = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/g;
const ALTERNATIVE_NAMES = '2.5.29.17';

/** The certificates of a PEM text, in order; what cannot be read is left out. */
export function certificatesOf(text: string): readonly Certificate[] {
  return [...text.matchAll(PEM)].flatMap(([, base64 = '']) => {
    try {
      return [readCertificate(bytesOfBase64(base64.replaceAll(/\s/g, '')))];
    } catch {
      return []; // shown as plain text, like everything that is not recognized
    }
  });
}

function readCertificate(bytes: Uint8Array): Certificate {
  const { issuer, subject, notBefore, notAfter, extensions } = certificateFields(bytes);
  return {
    issuer: distinguishedName(issuer),
    notBefore,
    notAfter,
    subject: distinguishedName(subject),
    names: namesIn(extensions),
  };
}

function namesIn(extensions: DerElement | undefined): readonly string[] {
  if (extensions === undefined) return [];
  const extension = childrenOf(readDer(extensions.content)).find(
    (candidate) => oidOf(required(childrenOf(candidate)[0])) === ALTERNATIVE_NAMES,
  );
  const value = extension === undefined ? undefined : childrenOf(extension).at(-1);
  return value === undefined ? [] : alternativeNames(value);
}
