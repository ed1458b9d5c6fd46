import { constants, createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import type { Logger } from '../observability/logger.ts';

/** PEM files: the certificate of the server with its chain, and its private key. */
interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** A certificate with its key, checked: a server can use it. */
interface ServerCertificate {
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
  // Ends behind the byte at that offset.
  const bytes = await buffer(createReadStream(file, { end: MAX_FILE_BYTES })).catch(() => {
    throw new CertificateError('unreadable');
  });
  if (bytes.byteLength > MAX_FILE_BYTES) throw new CertificateError('tooLarge');
  return bytes;
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

export type CertificateSource = Awaited<ReturnType<typeof openCertificateSource>>;

interface CertificateSourceOptions {
  readonly files: TlsFiles;
  /** How often the files are read again. */
  readonly intervalMs: number;
  /** Called with the end of the certificate that is in use from now on. */
  readonly onUsed: (notAfter: Date) => void;
  /** Called when a renewal is in use, and each time that the files were read and could not be used. */
  readonly onReload: (outcome: 'loaded' | 'failed') => void;
  readonly logger: Logger;
}

/**
 * Reads a certificate and its key, and reads both again at an interval. They are compared by content: a kubelet renews
 * a mounted Secret by replacing symbolic links, which file watches miss. What cannot be used leaves the certificate in
 * use as it is.
 * @throws {CertificateError} when there is no usable certificate to begin with
 */
export async function openCertificateSource(options: CertificateSourceOptions) {
  const { files, intervalMs, onUsed, onReload, logger } = options;
  let current = await readCertificate(files);
  let problem: CertificateProblem | undefined;
  let use: (certificate: ServerCertificate) => void = () => undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const report = (certificate: ServerCertificate): void => {
    onUsed(certificate.notAfter);
    const invalid = validityProblem(certificate, Date.now());
    if (invalid !== undefined) logger.warn('certificate is not valid now', { problem: invalid });
  };
  report(current);

  const reload = async (): Promise<void> => {
    try {
      const read = await readCertificate(files);
      problem = undefined;
      if (stopped || isSame(read, current)) return;
      use(read);
      current = read;
      onReload('loaded');
      logger.info('read the renewed certificate');
      report(read);
    } catch (error) {
      if (stopped) return;
      const found = error instanceof CertificateError ? error.problem : 'unusable';
      onReload('failed');
      // Once per problem, not at every interval.
      if (found !== problem) logger.warn('certificate cannot be renewed', { problem: found });
      problem = found;
    }
  };
  const schedule = (): void => {
    timer = setTimeout(() => {
      void reload().then(() => {
        if (!stopped) schedule();
      });
    }, intervalMs).unref();
  };
  schedule();
  return {
    /** Calls `listener` with the certificate in use, and with each later one, until the source is stopped. */
    follow(listener: typeof use): void {
      use = listener;
      listener(current);
    },
    stop(): void {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

/** It is used all the same: clients decide, and their clocks may differ. */
function validityProblem({ notBefore, notAfter }: ServerCertificate, now: number): string | undefined {
  if (notAfter.getTime() <= now) return 'expired';
  return notBefore.getTime() > now ? 'notYetValid' : undefined;
}

function isSame(one: ServerCertificate, other: ServerCertificate): boolean {
  return one.cert.equals(other.cert) && one.key.equals(other.key);
}
