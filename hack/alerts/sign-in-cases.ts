import { series, type AlertCase, type Samples } from './case.ts';

/** Ten callbacks a minute, some of which come to `outcome`. */
function callbacks(outcome: string, failed: number): Samples {
  const of = (came: string): string => series('service_sign_ins_total', { step: 'callback', outcome: came });
  return { [of('ok')]: `0+${10 - failed}x60`, [of(outcome)]: `0+${failed}x60` };
}

/** Ten logins a minute that request UserInfo, some of which come to `outcome`. */
function userInfoReads(outcome: string, failed: number): Samples {
  const of = (came: string): string => series('service_userinfo_reads_total', { outcome: came });
  return { [of('ok')]: `0+${10 - failed}x60`, [of(outcome)]: `0+${failed}x60` };
}

export const SIGN_IN_CASES: readonly AlertCase[] = [
  {
    alert: 'SecretsServiceAuthDisabled',
    at: '10m',
    fires: { [series('service_auth_disabled')]: '1x20', [series('service_auth_disabled', {}, 'b')]: '0x20' },
    staysSilent: { [series('service_auth_disabled')]: '0x20' },
  },
  {
    alert: 'SecretsServiceSigningKeyInvalid',
    at: '10m',
    fires: { [series('service_signing_key_valid')]: '0x20' },
    staysSilent: { [series('service_signing_key_valid')]: '1x20' },
  },
  {
    alert: 'SecretsServiceRevocationMalformed',
    at: '10m',
    fires: { [series('service_session_revocations', { state: 'malformed' })]: '1x20' },
    staysSilent: {
      [series('service_session_revocations', { state: 'malformed' })]: '0x20',
      [series('service_session_revocations', { state: 'effective' })]: '5x20',
    },
  },
  {
    alert: 'SecretsServiceSignInFailing',
    at: '40m',
    fires: callbacks('provider_unreachable', 6),
    // People who take their time, have two tabs, cancel or go back; and a handful who are refused, while no one else signs in.
    staysSilent: {
      ...callbacks('transaction_incomplete', 10),
      ...callbacks('person_declined', 10),
      ...callbacks('replayed', 10),
      ...callbacks('provider_refused', 0.5),
      [series('service_sign_ins_total', { step: 'callback', outcome: 'ok' })]: '0x60',
    },
  },
  {
    alert: 'SecretsServiceUserInfoFailing',
    at: '40m',
    fires: userInfoReads('unexpected_status', 4),
    // One login in ten, at a provider that is slow at times.
    staysSilent: userInfoReads('timeout', 1),
  },
];
