import { constants, createPrivateKey, X509Certificate } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';

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

const PROBLEMS = {
  unreadable: 'one of the files cannot be read',
  tooLarge: 'one of the files is larger than 1 MiB',
  certificateMalformed: 'the certificate is not PEM',
  keyMalformed: 'the key is not PEM, or is encrypted',
  pairMismatch: 'the key does not belong to the certificate',
  unusable: 'the chain or the key cannot be used for TLS',
};

type CertificateProblem = keyof typeof PROBLEMS;

/** The message is for the operator. Neither it nor a cause contain anything of the files. */
export class CertificateError extends Error {
  override readonly name = 'CertificateError';
  readonly problem: CertificateProblem;

  constructor(problem: CertificateProblem) {
    super(`SERVICE_TLS_CERT_FILE and SERVICE_TLS_KEY_FILE: ${PROBLEMS[problem]}`);
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
  const isPair = checked('pairMismatch', () => own.checkPrivateKey(privateKey));
  if (!isPair) throw new CertificateError('pairMismatch');
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

/** How often the files are read again. A kubelet takes about a minute to renew a mounted Secret. */
const RELOAD_MS = 10_000;

interface SourceOptions {
  readonly files: TlsFiles;
  readonly metrics: Pick<Metrics, 'add' | 'set'>;
  readonly logger: Logger;
  readonly intervalMs?: number;
}

export type CertificateSource = ReturnType<typeof createCertificateSource>;

/**
 * Reads a certificate and its key, and reads both again at an interval. They are compared by content: a kubelet renews
 * a mounted Secret by replacing symbolic links, which file watches miss. What cannot be used leaves the certificate in
 * use as it is.
 */
export function createCertificateSource(options: SourceOptions) {
  const { files, metrics, logger, intervalMs = RELOAD_MS } = options;
  let current: ServerCertificate | undefined;
  let problem: CertificateProblem | undefined;
  let use: (certificate: ServerCertificate) => void = () => undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const countReload = (outcome: 'loaded' | 'failed', count: number): void => {
    metrics.add('service_tls_reloads_total', count, { outcome });
  };
  const reload = async (): Promise<void> => {
    try {
      const read = await readCertificate(files);
      problem = undefined;
      if (stopped || (current?.cert.equals(read.cert) === true && current.key.equals(read.key))) return;
      use(read);
      current = read;
      countReload('loaded', 1);
      logger.info('read the renewed certificate');
      reportUsed(read, options);
    } catch (error) {
      if (stopped) return;
      const found = error instanceof CertificateError ? error.problem : 'unusable';
      countReload('failed', 1);
      // Once per problem, not at every interval.
      if (found !== problem) logger.warn('certificate cannot be renewed', { problem: found });
      problem = found;
    }
  };
  const schedule = (): void => {
    if (!stopped) timer = setTimeout(() => void reload().then(schedule), intervalMs).unref();
  };
  return {
    name: 'certificate',
    /** @throws {CertificateError} when there is no usable certificate to begin with */
    async start(): Promise<void> {
      current = await readCertificate(files);
      reportUsed(current, options);
      // From the start, so that the first one is an increase and not a new series.
      countReload('loaded', 0);
      countReload('failed', 0);
      schedule();
    },
    /** Calls `listener` with the certificate in use, and with each later one, until the source is stopped. */
    follow(listener: typeof use): void {
      use = listener;
      if (current !== undefined) listener(current);
    },
    stop(): void {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

function reportUsed({ notBefore, notAfter }: ServerCertificate, { metrics, logger }: SourceOptions): void {
  metrics.set('service_tls_not_after_seconds', Math.floor(notAfter.getTime() / 1_000), { port: 'api' });
  const now = Date.now();
  if (notBefore.getTime() <= now && now < notAfter.getTime()) return;
  // It is used all the same: clients decide, and their clocks may differ.
  const problem = notAfter.getTime() <= now ? 'expired' : 'notYetValid';
  logger.warn('certificate is not valid now', { problem });
}
