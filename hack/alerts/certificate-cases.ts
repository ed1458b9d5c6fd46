import { series, type AlertCase } from './case.ts';

/** The clock of a case starts at 1970. */
const DAY_SECONDS = 86_400;

const expiry = (name: string): string =>
  series('service_certificate_not_after_seconds', { namespace: 'team-a', name });

const served = (instance: string): string =>
  series('service_tls_not_after_seconds', { port: 'api' }, instance);
const failures = series('service_tls_reloads_total', { outcome: 'failed' });

export const CERTIFICATE_CASES: readonly AlertCase[] = [
  {
    alert: 'SecretsServiceCertificateExpires',
    at: '30m',
    fires: { [expiry('web')]: `${6 * DAY_SECONDS}x60`, [expiry('mail')]: `${90 * DAY_SECONDS}x60` },
    staysSilent: { [expiry('web')]: `${8 * DAY_SECONDS}x60` },
  },
  {
    alert: 'SecretsServiceServerCertificateExpires',
    at: '30m',
    fires: { [served('a')]: `${2 * DAY_SECONDS}x60`, [served('b')]: `${90 * DAY_SECONDS}x60` },
    staysSilent: { [served('a')]: `${4 * DAY_SECONDS}x60` },
  },
  {
    alert: 'SecretsServiceServerCertificateNotRenewed',
    at: '30m',
    // Every ten seconds, and once in the middle of a renewal.
    fires: { [failures]: '0+6x60' },
    staysSilent: { [failures]: '0x20 1x40' },
  },
];
