import { Alert } from '@patternfly/react-core';
import type { SecretSummary } from '../api/secrets-api.ts';
import { originOf } from '../values/origin.ts';

/** Shows before a change where the Secret seems to come from. */
export function OriginNotice({ secret }: { readonly secret: SecretSummary }) {
  const origin = originOf(secret);
  if (origin === undefined) return null;
  return (
    <Alert isInline variant="info" component="h2" title={origin.title}>
      <p>{origin.advice}</p>
    </Alert>
  );
}
