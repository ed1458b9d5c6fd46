import { series, type AlertCase } from './case.ts';

/** The clock of a case starts at 1970. */
const DAY_SECONDS = 86_400;

const expiry = (name: string): string =>
  series('service_certificate_not_after_seconds', { namespace: 'team-a', name });

export const CERTIFICATE_CASES: readonly AlertCase[] = [
  {
    alert: 'SecretsServiceCertificateExpires',
    at: '30m',
    fires: { [expiry('web')]: `${6 * DAY_SECONDS}x60`, [expiry('mail')]: `${90 * DAY_SECONDS}x60` },
    staysSilent: { [expiry('web')]: `${8 * DAY_SECONDS}x60` },
  },
];
