import { Label } from '@patternfly/react-core';
import { useExpiring } from '../../api/queries.ts';
import type { Expiring, SecretSummary } from '../../api/secrets-api.ts';
import { DueLabel, URGENCY_COLORS } from '../../ui/due-label.tsx';
import { QueryScreen } from '../../ui/query-screen.tsx';
import { ReloadButton } from '../../ui/reload-button.tsx';
import { Screen } from '../../ui/screen.tsx';
import { SecretItems } from '../../ui/secret-items.tsx';
import { useNow } from '../../ui/use-now.ts';
import { detailPath } from '../../paths.ts';
import { dueDatesOf, urgencyOf, type Urgency } from '../../values/expiry.ts';
import { formatNumber } from '../../values/format.ts';

/** What the label does not say itself. */
const KINDS = { certificate: 'Certificate', value: '', declared: 'Declared date', rotation: 'Rotation' };

/** What needs attention in any namespace: certificates, other values, declared dates and rotations, the most urgent first. */
export function ExpiringPage() {
  const query = useExpiring();
  const reload = () => void query.refetch();
  return (
    <QueryScreen query={query} what="what expires" stale={{ alert: "Couldn't refresh what expires" }}>
      {(expiring, alert) => (
        <Screen
          aside={<ReloadButton label="Refresh what expires" busy={query.isFetching} onClick={reload} />}
        >
          {alert}
          <p className="hint">
            Secrets that have expired or are due for rotation, and those that will be within 30 days. For a
            reminder of any other, edit it and set when it expires or is rotated.
          </p>
          <Groups expiring={expiring} />
        </Screen>
      )}
    </QueryScreen>
  );
}

const GROUPS = { expired: 'Expired', week: 'Within 7 days', month: 'Within 30 days' };

function Groups({ expiring: { items, more } }: { readonly expiring: Expiring }) {
  const now = useNow();
  const group = (urgency: Urgency) => {
    const secrets = items.filter((secret) => urgencyOf(dueDatesOf(secret)[0], now) === urgency);
    if (secrets.length === 0) return null;
    return (
      <section key={urgency} aria-labelledby={urgency} className="expiring">
        <h2 id={urgency} className="part-title">
          {GROUPS[urgency]}{' '}
          <Label isCompact color={URGENCY_COLORS[urgency]}>
            {formatNumber(secrets.length)}
          </Label>
        </h2>
        <SecretItems labelledBy={urgency} secrets={secrets} pathOf={detailPath} about={datesOf} />
      </section>
    );
  };
  return (
    <>
      {more && <p>There may be more: the list is too long, or a namespace could not be read.</p>}
      {items.length === 0 && !more && <p>Nothing expires within 30 days.</p>}
      {(['expired', 'week', 'month'] as const).map(group)}
    </>
  );
}

/** A Secret may have several: a certificate and a rotation, for example. */
const datesOf = (secret: SecretSummary) =>
  dueDatesOf(secret).map((due) => (
    <span key={due.kind}>
      <span className="hint">{KINDS[due.kind]}</span> <DueLabel due={due} isAlwaysShown />{' '}
    </span>
  ));
