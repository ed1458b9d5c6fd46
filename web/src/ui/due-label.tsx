import { Label } from '@patternfly/react-core';
import { dueText, urgencyOf, type DueDate } from '../values/expiry.ts';
import { formatExactly } from '../values/format.ts';
import { useNow } from './use-now.ts';

export const URGENCY_COLORS = { expired: 'red', week: 'orange', month: 'yellow' } as const;

interface DueLabelProps {
  readonly due: DueDate | undefined;
  /** Shown, without a color, where it needs no attention yet. */
  readonly isAlwaysShown?: boolean;
}

/** That a Secret has expired, expires soon or is to be rotated. */
export function DueLabel({ due, isAlwaysShown = false }: DueLabelProps) {
  const now = useNow();
  const urgency = urgencyOf(due, now);
  if (due === undefined || (urgency === undefined && !isAlwaysShown)) return null;
  const text = dueText(due, now);
  if (urgency === undefined) return <span title={formatExactly(new Date(due.at))}>{text}</span>;
  return (
    <Label isCompact color={URGENCY_COLORS[urgency]} title={`${text}: ${formatExactly(new Date(due.at))}`}>
      {text}
    </Label>
  );
}
