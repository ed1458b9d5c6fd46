import { constants, createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { open } from 'node:fs/promises';
import { createSecureContext, type SecureContextOptions } from 'node:tls';

/** PEM files: the certificate of the server with its chain, and its private key. */
export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** A certificate with its key, checked: a server can use it. */
export interface ServerCertificate {
  readonly cert: Buffer;
  readonly key: Buffer;
  /** When the server's own certificate becomes valid, and when it expires. */
  readonly notBefore: Date;
  readonly notAfter: Date;
}

export type CertificateProblem =
  'unreadable' | 'tooLarge' | 'certificateMalformed' | 'keyMalformed' | 'pairMismatch' | 'unusable';

/** Neither message nor cause contain anything of the files. */
export class CertificateError extends Error {
  override readonly name = 'CertificateError';
  readonly problem: CertificateProblem;

  constructor(problem: CertificateProblem) {
    super(`The certificate and its key cannot be used: ${problem}`);
    this.problem = problem;
  }
}

/** A Secret holds at most 1 MiB. */
const MAX_FILE_BYTES = 1_024 * 1_024;

/**
 * Reads and checks both files. Between the two reads a rotation may replace them, which is then a `pairMismatch`.
 * @throws {CertificateError}
 */
export async function readCertificate({ certFile, keyFile }: TlsFiles): Promise<ServerCertificate> {
  const cert = await readBounded(certFile);
  const key = await readBounded(keyFile);
  const own = checked('certificateMalformed', () => new X509Certificate(cert));
  const privateKey = checked('keyMalformed', () => createPrivateKey(key));
  if (!isPair(own, privateKey)) throw new CertificateError('pairMismatch');
  // Reads the chain, too, and refuses keys that are too weak for the security level.
  checked('unusable', () => createSecureContext(contextOf({ cert, key })));
  return { cert, key, notBefore: own.validFromDate, notAfter: own.validToDate };
}

/** TLS 1.2 or newer, whatever the options of Node, and without renegotiation, which only costs the server. */
export function contextOf({ cert, key }: Pick<ServerCertificate, 'cert' | 'key'>): SecureContextOptions {
  return { cert, key, minVersion: 'TLSv1.2', secureOptions: constants.SSL_OP_NO_RENEGOTIATION };
}

async function readBounded(file: string): Promise<Buffer> {
  const handle = await open(file, 'r').catch(() => {
    throw new CertificateError('unreadable');
  });
  try {
    const buffer = Buffer.alloc(MAX_FILE_BYTES + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await handle.read(buffer, length, buffer.byteLength - length).catch(() => {
        throw new CertificateError('unreadable');
      });
      if (bytesRead === 0) return Buffer.from(buffer.subarray(0, length));
      length += bytesRead;
      if (length > MAX_FILE_BYTES) throw new CertificateError('tooLarge');
    }
  } finally {
    await handle.close();
  }
}

/** OpenSSL's messages may describe the input, so they are dropped. */
function checked<Value>(problem: CertificateProblem, read: () => Value): Value {
  try {
    return read();
  } catch {
    throw new CertificateError(problem);
  }
}

function isPair(certificate: X509Certificate, key: KeyObject): boolean {
  return checked('pairMismatch', () => certificate.checkPrivateKey(key));
}
