import type { Logger } from '../observability/logger.ts';
import {
  CertificateError,
  readCertificate,
  type CertificateProblem,
  type ServerCertificate,
  type TlsFiles,
} from './server-certificate.ts';

export interface CertificateSource {
  /** Calls `use` with the certificate in use, and with each later one, until the source is stopped. */
  follow(use: (certificate: ServerCertificate) => void): void;
  stop(): void;
}

export interface CertificateSourceOptions {
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
export async function openCertificateSource(options: CertificateSourceOptions): Promise<CertificateSource> {
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
    follow(listener) {
      use = listener;
      listener(current);
    },
    stop() {
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
