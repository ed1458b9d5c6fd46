import { Label } from '@patternfly/react-core';
import type { SecretSummary } from '../api/secrets-api.ts';
import { STATE_LABELS_WORDS } from '../words/value-parts.ts';

/** What keeps a Secret from being changed as others are. */
export function StateLabels({ secret }: { readonly secret: SecretSummary }) {
  return (
    <>
      {secret.deletionTimestamp !== undefined && (
        <Label isCompact status="warning" title={STATE_LABELS_WORDS.deletionPending}>
          {STATE_LABELS_WORDS.deletionPending}
        </Label>
      )}
      {secret.immutable && (
        <Label isCompact color="purple" title={STATE_LABELS_WORDS.immutable}>
          {STATE_LABELS_WORDS.immutable}
        </Label>
      )}
    </>
  );
}
