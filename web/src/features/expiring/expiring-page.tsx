import { Alert, EmptyState, EmptyStateBody } from '@patternfly/react-core';
import { useAllCertificates, useCertificates, type Certificates } from '../../api/certificates.ts';
import { QueryScreen } from '../../ui/query-screen.tsx';
import { ReloadButton } from '../../ui/reload-button.tsx';
import { Screen } from '../../ui/screen.tsx';
import { useNow } from '../../ui/use-now.ts';
import { formatNumber } from '../../values/format.ts';
import { expiringGroups } from './expiring.ts';
import { ExpiringTable } from './expiring-table.tsx';
import { ApiError } from '../../api/http-client.ts';

/** The certificates of all namespaces that need attention, the most urgent first. */
export function ExpiringPage() {
  const query = useExpiring();
  return (
    <QueryScreen query={query} what="the certificates" stale={{ alert: "Couldn't refresh the certificates" }}>
      {(certificates, alert) => (
        <Screen
          title="Expiring"
          aside={
            <ReloadButton
              label="Refresh the certificates"
              busy={query.isFetching}
              onClick={() => void query.refetch()}
            />
          }
        >
          {alert}
          <p className="hint">
            Certificates in the namespaces that you can see that have expired, or will within 30 days.
          </p>
          {query.isReading ? (
            <p role="status">There are many certificates: their namespaces are read one after the other.</p>
          ) : (
            <Missing certificates={certificates} />
          )}
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
    <EmptyState titleText="Nothing expires within 30 days" headingLevel="h2">
      <EmptyStateBody>Every certificate that you can see is valid for longer.</EmptyStateBody>
    </EmptyState>
  );
}

const MOST_NAMED = 5;

/** What the view does not cover. */
function Missing({ certificates: { missing, hasMore } }: { readonly certificates: Certificates }) {
  if (missing.length === 0 && !hasMore) return null;
  const named = missing.slice(0, MOST_NAMED);
  if (missing.length > MOST_NAMED) {
    named.push(`and ${formatNumber(missing.length - MOST_NAMED)} more`);
  }
  const title =
    missing.length > 0
      ? `Not included, because they could not be read: ${named.join(', ')}.`
      : 'Only the first 200 namespaces are included.';
  return <Alert isInline isPlain variant="warning" component="p" title={title} />;
}

/** By one search if that is enough, otherwise by the lists of the namespaces. Until then, what the search found. */
function useExpiring() {
  const found = useCertificates({ enabled: true, staleTime: 0 });
  const cannotSearch = found.error instanceof ApiError && found.error.status === 503;
  const isShort = found.data?.hasMore === true || cannotSearch;
  const all = useAllCertificates(isShort);
  const data: Certificates | undefined = isShort ? (all.data ?? found.data) : found.data;
  return {
    data,
    error: isShort ? all.error : found.error,
    /** What is there is not all yet. */
    isReading: isShort && all.isFetching,
    isFetching: found.isFetching || (isShort && all.isFetching),
    refetch: () => Promise.all([found.refetch(), ...(isShort ? [all.refetch()] : [])]),
  };
}
