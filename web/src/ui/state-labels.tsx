import { Label } from '@patternfly/react-core';
import type { SecretSummary } from '../api/secrets-api.ts';

/** What keeps a Secret from being changed as others are. */
export function StateLabels({ secret }: { readonly secret: SecretSummary }) {
  return (
    <>
      {secret.deletionTimestamp !== undefined && (
        <Label isCompact status="warning" title="deletion pending">
          deletion pending
        </Label>
      )}
      {secret.immutable && (
        <Label isCompact color="purple" title="immutable">
          immutable
        </Label>
      )}
    </>
  );
}
