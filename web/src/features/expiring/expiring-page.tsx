import { Alert, EmptyState, EmptyStateBody } from '@patternfly/react-core';
import type { Certificates } from '../../api/certificates.ts';
import { QueryScreen } from '../../ui/query-screen.tsx';
import { ReloadButton } from '../../ui/reload-button.tsx';
import { Screen } from '../../ui/screen.tsx';
import { useNow } from '../../ui/use-now.ts';
import { formatNumber } from '../../values/format.ts';
import { EXPIRING_WORDS } from '../../words/expiring.ts';
import { expiringGroups } from './expiring.ts';
import { ExpiringTable } from './expiring-table.tsx';
import { useExpiring } from './use-expiring.ts';

/** The certificates of all namespaces that need attention, the most urgent first. */
export function ExpiringPage() {
  const query = useExpiring();
  const { what, refresh, refreshFailed, title, lead, reading } = EXPIRING_WORDS;
  return (
    <QueryScreen query={query} what={what} stale={{ alert: refreshFailed }}>
      {(certificates, alert) => (
        <Screen
          title={title}
          aside={
            <ReloadButton label={refresh} busy={query.isFetching} onClick={() => void query.refetch()} />
          }
        >
          {alert}
          <p className="hint">{lead}</p>
          {query.isReading ? <p role="status">{reading}</p> : <Missing certificates={certificates} />}
          <Groups certificates={certificates} isReading={query.isReading} />
        </Screen>
      )}
    </QueryScreen>
  );
}

interface GroupsProps {
  readonly certificates: Certificates;
  readonly isReading: boolean;
}

function Groups({ certificates, isReading }: GroupsProps) {
  const groups = expiringGroups(certificates.secrets, useNow());
  if (groups.length === 0) return isReading ? null : <NothingExpires />;
  return groups.map(({ urgency, secrets }) => (
    <ExpiringTable key={urgency} urgency={urgency} secrets={secrets} />
  ));
}

function NothingExpires() {
  return (
    <EmptyState titleText={EXPIRING_WORDS.none} headingLevel="h2">
      <EmptyStateBody>{EXPIRING_WORDS.noneHint}</EmptyStateBody>
    </EmptyState>
  );
}

const MOST_NAMED = 5;

/** What the view does not cover. */
function Missing({ certificates: { missing, hasMore } }: { readonly certificates: Certificates }) {
  if (missing.length === 0 && !hasMore) return null;
  const named = missing.slice(0, MOST_NAMED);
  if (missing.length > MOST_NAMED) {
    named.push(EXPIRING_WORDS.andMore(formatNumber(missing.length - MOST_NAMED)));
  }
  const title = missing.length > 0 ? EXPIRING_WORDS.missing(named.join(', ')) : EXPIRING_WORDS.hasMore;
  return <Alert isInline isPlain variant="warning" component="p" title={title} />;
}
