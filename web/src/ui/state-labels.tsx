import { Label } from '@patternfly/react-core';
import type { SecretSummary } from '../api/secrets-api.ts';

/** What is particular about a Secret. */
export function StateLabels({ secret }: { readonly secret: SecretSummary }) {
  return (
    <span className="labels">
      {secret.deletionTimestamp !== undefined && (
        <Label isCompact status="warning">
          deletion pending
        </Label>
      )}
      {secret.immutable && (
        <Label isCompact color="purple">
          immutable
        </Label>
      )}
      {secret.managedByService ? (
        <Label isCompact color="blue">
          managed
        </Label>
      ) : (
        <Label isCompact color="grey">
          not managed
        </Label>
      )}
    </span>
  );
}
