import { Label } from '@patternfly/react-core';
import { Td, Th, Tr } from '@patternfly/react-table';
import { useId } from 'react';
import { Link } from 'react-router';
import type { SecretSummary } from '../../api/secrets-api.ts';
import { detailPath, listPath } from '../../paths.ts';
import { When } from '../../ui/when.tsx';
import { SmallTable } from '../../ui/small-table.tsx';
import type { Urgency } from '../../values/expiry.ts';
import { formatNumber } from '../../values/format.ts';

const TITLES = { expired: 'Expired', week: 'Within 7 days', month: 'Within 30 days' };

/** More of them are a list of another kind of trouble. */
const MOST_SHOWN = 500;

export interface ExpiringTableProps {
  readonly urgency: Urgency;
  /** The next to expire first. */
  readonly secrets: readonly SecretSummary[];
}

const STATUS: Readonly<Record<Urgency, 'danger' | 'warning' | 'info'>> = {
  expired: 'danger',
  week: 'warning',
  month: 'info',
};

export function ExpiringTable({ urgency, secrets }: ExpiringTableProps) {
  const title = useId();
  return (
    <section aria-labelledby={title} className="expiring">
      <h2 id={title} className="expiring-title">
        {TITLES[urgency]} <Label status={STATUS[urgency]}>{formatNumber(secrets.length)}</Label>
      </h2>
      <SmallTable labelledBy={title} columns={['Secret', 'Namespace', 'Expires', 'Changed']}>
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

function ExpiringRow({ secret: one }: { readonly secret: SecretSummary }) {
  const { namespace, name, description, certificateNotAfter = '', lastModifiedBy } = one;
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
      <Td dataLabel="Expires">
        <When time={certificateNotAfter} relative />
        <span className="second-line">
          <When time={certificateNotAfter} />
        </span>
      </Td>
      <Td dataLabel="Changed">
        <When time={lastModifiedAt ?? creationTimestamp} relative />
        <span className="second-line">{lastModifiedBy}</span>
      </Td>
    </Tr>
  );
}
