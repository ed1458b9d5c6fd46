import { Alert } from '@patternfly/react-core';
import type { SecretSummary } from '../api/secrets-api.ts';
import { originOf } from '../values/origin.ts';

export interface OriginNoticeProps {
  readonly secret: SecretSummary;
  /** Without what matters to an edit alone. */
  readonly overwritesOnly?: boolean;
}

/** Shows before a change who else writes the Secret, and what to change instead. */
export function OriginNotice({ secret, overwritesOnly = false }: OriginNoticeProps) {
  const origin = originOf(secret);
  if (origin === undefined || (overwritesOnly && !origin.isOverwritten)) return null;
  return (
    <Alert isInline variant={origin.isOverwritten ? 'warning' : 'info'} component="h2" title={origin.title}>
      <p>{origin.advice}</p>
    </Alert>
  );
}
