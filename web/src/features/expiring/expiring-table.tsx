import { Label } from '@patternfly/react-core';
import { Td, Th, Tr } from '@patternfly/react-table';
import { useId } from 'react';
import { Link } from 'react-router';
import type { SecretSummary } from '../../api/secrets-api.ts';
import { detailPath, listPath } from '../../paths.ts';
import { When } from '../../ui/when.tsx';
import { SmallTable } from '../../ui/small-table.tsx';
import { useNow } from '../../ui/use-now.ts';
import { URGENCY_COLORS } from '../../ui/due-label.tsx';
import { dueDatesOf, urgencyOf, type UrgentGroup } from '../../values/expiry.ts';
import { formatNumber } from '../../values/format.ts';

const TITLES = { expired: 'Expired', week: 'Within 7 days', month: 'Within 30 days' };

/** More of them are a list of another kind of trouble. */
const MOST_SHOWN = 500;

const KINDS = { certificate: 'Certificate', declared: 'Declared date', rotation: 'Rotation due' };

export function ExpiringTable({ urgency, secrets }: UrgentGroup) {
  const title = useId();
  return (
    <section aria-labelledby={title} className="expiring">
      <h2 id={title} className="expiring-title">
        {TITLES[urgency]} <Label color={URGENCY_COLORS[urgency]}>{formatNumber(secrets.length)}</Label>
      </h2>
      <SmallTable labelledBy={title} columns={['Secret', 'Namespace', 'What', 'When', 'Changed']}>
        {secrets.slice(0, MOST_SHOWN).map((one) => (
          <ExpiringRow key={detailPath(one)} secret={one} />
        ))}
      </SmallTable>
      {secrets.length > MOST_SHOWN && (
        <p className="hint">and {formatNumber(secrets.length - MOST_SHOWN)} more</p>
      )}
    </section>
  );
}

/** A Secret may have several: a certificate and a rotation, for example. */
function useUrgentDates(secret: SecretSummary) {
  const now = useNow();
  return dueDatesOf(secret).filter((due) => urgencyOf(due, now) !== undefined);
}

function ExpiringRow({ secret: one }: { readonly secret: SecretSummary }) {
  const { namespace, name, description, lastModifiedBy } = one;
  const due = useUrgentDates(one);
  const { lastModifiedAt, creationTimestamp } = one;
  return (
    <Tr>
      <Th scope="row">
        <Link to={detailPath(one)}>{name}</Link>
        {description !== '' && <span className="second-line">{description}</span>}
      </Th>
      <Td dataLabel="Namespace">
        <Link to={listPath(namespace)}>{namespace}</Link>
      </Td>
      <Td dataLabel="What">
        {due.map(({ kind }) => (
          <div key={kind}>{KINDS[kind]}</div>
        ))}
      </Td>
      <Td dataLabel="When">
        {due.map(({ kind, at }) => (
          <div key={kind}>
            <When time={new Date(at).toISOString()} relative />
          </div>
        ))}
      </Td>
      <Td dataLabel="Changed">
        <When time={lastModifiedAt ?? creationTimestamp} relative />
        <span className="second-line">{lastModifiedBy}</span>
      </Td>
    </Tr>
  );
}
