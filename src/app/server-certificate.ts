import { openCertificateSource, type CertificateSource } from '../server/certificate-source.ts';
import { ListenError } from '../server/listen.ts';
import { CertificateError, type CertificateProblem } from '../server/server-certificate.ts';
import type { Settings } from '../config/settings.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Component } from './lifecycle.ts';
import { CERTIFICATE_CHECK_MS } from './limits.ts';

const WORDS: Readonly<Record<CertificateProblem, string>> = {
  unreadable: 'one of the files cannot be read',
  tooLarge: 'one of the files is larger than 1 MiB',
  certificateMalformed: 'the certificate is not PEM',
  keyMalformed: 'the key is not PEM, or is encrypted',
  pairMismatch: 'the key does not belong to the certificate',
  unusable: 'the chain or the key cannot be used for TLS',
};

/** The certificate of the public port, and the component that follows its renewals. */
export interface ServerCertificateComponent {
  readonly component: Component;
  /** Undefined without TLS, and before the component was started. */
  readonly current: () => CertificateSource | undefined;
}

export function serverCertificate(
  { http }: Settings,
  logger: Logger,
  metrics: Metrics,
): ServerCertificateComponent {
  const { tls } = http;
  let source: CertificateSource | undefined;
  return {
    current: () => source,
    component: {
      name: 'certificate',
      async start() {
        if (tls === undefined) return;
        source = await openCertificateSource({
          files: tls,
          intervalMs: CERTIFICATE_CHECK_MS,
          onUsed: (notAfter) => {
            metrics.set('service_tls_not_after_seconds', Math.floor(notAfter.getTime() / 1_000), {
              port: 'api',
            });
          },
          onReload: (outcome) => {
            metrics.inc('service_tls_reloads_total', { outcome });
          },
          logger,
        }).catch(refuse);
        // From the start, so that the first one is an increase and not a new series.
        for (const outcome of ['loaded', 'failed'] as const) {
          metrics.add('service_tls_reloads_total', 0, { outcome });
        }
      },
      stop() {
        source?.stop();
        return Promise.resolve();
      },
    },
  };
}

function refuse(error: unknown): never {
  if (!(error instanceof CertificateError)) throw error;
  throw new ListenError(`SERVICE_TLS_CERT_FILE and SERVICE_TLS_KEY_FILE: ${WORDS[error.problem]}`);
}
