import type { SecretSummary } from '../api/secrets-api.ts';
import { formatAgo } from './format.ts';

const DAY_MS = 24 * 60 * 60_000;
const DAYS = { week: 7, month: 30 };

/** What says that a Secret needs attention, and when, in milliseconds since 1970. */
export interface DueDate {
  readonly kind: 'certificate' | 'value' | 'declared' | 'rotation';
  readonly at: number;
}

type Dated = Pick<SecretSummary, 'certificateNotAfter' | 'valueExpiresAt' | 'expiresAt' | 'rotationDueAt'>;

/** All that a Secret has, the first to come first. */
export function dueDatesOf(secret: Dated): readonly DueDate[] {
  const texts = {
    certificate: secret.certificateNotAfter,
    value: secret.valueExpiresAt,
    declared: secret.expiresAt,
    rotation: secret.rotationDueAt,
  };
  return (['certificate', 'value', 'declared', 'rotation'] as const)
    .map((kind) => ({ kind, at: Date.parse(texts[kind] ?? '') }))
    .filter(({ at }) => !Number.isNaN(at))
    .sort((one, other) => one.at - other.at);
}

/** How near a date is: one scale for all of them. */
export type Urgency = 'expired' | 'week' | 'month';

/** Undefined: no attention needed. */
export function urgencyOf(due: DueDate | undefined, now: number): Urgency | undefined {
  if (due === undefined) return undefined;
  if (due.at <= now) return 'expired';
  const days = (due.at - now) / DAY_MS;
  return days <= DAYS.week ? 'week' : days <= DAYS.month ? 'month' : undefined;
}

/** "expired 2 days ago", "a value expires in 12 days", "rotation due in 3 days". */
export function dueText({ kind, at }: DueDate, now: number): string {
  const what = kind === 'rotation' ? 'rotation due' : at <= now ? 'expired' : 'expires';
  return `${kind === 'value' ? 'a value ' : ''}${what} ${formatAgo(at, now)}`;
}
