import { Label } from '@patternfly/react-core';
import type { SecretSummary } from '../../api/secrets-api.ts';
import { StateLabels } from '../../ui/state-labels.tsx';
import { useNow } from '../../ui/use-now.ts';
import { expiryOf } from '../../values/expiry.ts';
import { formatAgo } from '../../values/format.ts';

/** What needs attention; nothing where all is as usual. */
export function SecretBadges({ secret }: { readonly secret: SecretSummary }) {
  const { controlledBy } = secret;
  return (
    <>
      <StateLabels secret={secret} />
      <ExpiryBadge notAfter={secret.certificateNotAfter} />
      {controlledBy !== undefined && (
        <Label
          isCompact
          color="grey"
          title={`${[controlledBy.kind, controlledBy.name].join(' ').trim()} overwrites edits`}
        >
          {controlledBy.kind}
        </Label>
      )}
    </>
  );
}

function ExpiryBadge({ notAfter }: { readonly notAfter: string | undefined }) {
  const now = useNow();
  const expiry = expiryOf(notAfter, now);
  if (notAfter === undefined || expiry === undefined || expiry === 'later') return null;
  const when = formatAgo(Date.parse(notAfter), now);
  const text = expiry === 'expired' ? `expired ${when}` : `expires ${when}`;
  return (
    <Label isCompact status={expiry === 'expired' ? 'danger' : 'warning'} title={text}>
      {text}
    </Label>
  );
}
