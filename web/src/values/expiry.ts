const DAY_MS = 24 * 60 * 60_000;

/** How long before its end a certificate needs attention. */
export const EXPIRES_SOON_DAYS = 30;

export type Expiry = 'expired' | 'soon' | 'later';

/** Undefined: without a certificate, or with one whose end cannot be read. */
export function expiryOf(notAfter: string | undefined, now: number): Expiry | undefined {
  const end = Date.parse(notAfter ?? '');
  if (Number.isNaN(end)) return undefined;
  if (end <= now) return 'expired';
  return end - now <= EXPIRES_SOON_DAYS * DAY_MS ? 'soon' : 'later';
}

const URGENT_DAYS = 7;

/** How near the end is, for those that expire soon or have expired. */
export type Urgency = 'expired' | 'week' | 'month';

/** Undefined: no attention needed. */
export function urgencyOf(notAfter: string | undefined, now: number): Urgency | undefined {
  const expiry = expiryOf(notAfter, now);
  if (expiry === undefined || expiry === 'later') return undefined;
  if (expiry === 'expired') return 'expired';
  return Date.parse(notAfter ?? '') - now <= URGENT_DAYS * DAY_MS ? 'week' : 'month';
}
