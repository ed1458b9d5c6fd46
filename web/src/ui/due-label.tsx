import { Label } from '@patternfly/react-core';
import type { SecretSummary } from '../api/secrets-api.ts';
import { dueDatesOf, dueText, urgencyOf, type Urgency } from '../values/expiry.ts';
import { useNow } from './use-now.ts';

export const URGENCY_COLORS = { expired: 'red', week: 'orange', month: 'yellow' } as const satisfies Readonly<
  Record<Urgency, string>
>;

/** That a Secret has expired, expires soon or is to be rotated; nothing where it needs no attention. */
export function DueLabel({ secret }: { readonly secret: SecretSummary }) {
  const now = useNow();
  const [first] = dueDatesOf(secret);
  const urgency = urgencyOf(first, now);
  if (first === undefined || urgency === undefined) return null;
  const text = dueText(first, now);
  return (
    <Label isCompact color={URGENCY_COLORS[urgency]} title={text}>
      {text}
    </Label>
  );
}
