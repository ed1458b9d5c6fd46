import type { SecretSummary } from '../../api/secrets-api.ts';
import { urgencyOf, type Urgency } from '../../values/expiry.ts';

export interface ExpiringGroup {
  readonly urgency: Urgency;
  /** The next to expire first. */
  readonly secrets: readonly SecretSummary[];
}

const URGENCIES: readonly Urgency[] = ['expired', 'week', 'month'];

/** What has expired or will soon, in groups without empty ones. */
export function expiringGroups(secrets: readonly SecretSummary[], now: number): readonly ExpiringGroup[] {
  const sorted = secrets
    .map((secret) => ({ secret, at: Date.parse(secret.certificateNotAfter ?? '') }))
    .sort((one, other) => one.at - other.at);
  return URGENCIES.map((urgency) => ({
    urgency,
    secrets: sorted
      .map(({ secret }) => secret)
      .filter((secret) => urgencyOf(secret.certificateNotAfter, now) === urgency),
  })).filter((group) => group.secrets.length > 0);
}
