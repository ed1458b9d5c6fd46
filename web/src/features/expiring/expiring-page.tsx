import { Alert, EmptyState, EmptyStateBody } from '@patternfly/react-core';
import { useExpiring } from '../../api/queries.ts';
import type { Expiring } from '../../api/secrets-api.ts';
import { QueryScreen } from '../../ui/query-screen.tsx';
import { ReloadButton } from '../../ui/reload-button.tsx';
import { Screen } from '../../ui/screen.tsx';
import { useNow } from '../../ui/use-now.ts';
import { urgentGroups } from '../../values/expiry.ts';
import { ExpiringTable } from './expiring-table.tsx';

/** What needs attention in any namespace: certificates, declared dates and rotations, the most urgent first. */
export function ExpiringPage() {
  const query = useExpiring();
  return (
    <QueryScreen query={query} what="what expires" stale={{ alert: "Couldn't refresh what expires" }}>
      {(expiring, alert) => (
        <Screen
          title="Expiring"
          aside={
            <ReloadButton
              label="Refresh what expires"
              busy={query.isFetching}
              onClick={() => void query.refetch()}
            />
          }
        >
          {alert}
          <p className="hint">
            Secrets in the namespaces that you can see that have expired or are due for rotation, or will be
            within 30 days.
          </p>
          <Groups expiring={expiring} />
        </Screen>
      )}
    </QueryScreen>
  );
}

function Groups({ expiring: { items, more } }: { readonly expiring: Expiring }) {
  const groups = urgentGroups(items, useNow());
  return (
    <>
      {more && (
        <Alert
          isInline
          isPlain
          variant="warning"
          component="p"
          title="There may be more: the list is too long, or a namespace could not be read."
        />
      )}
      {groups.map((group) => (
        <ExpiringTable key={group.urgency} {...group} />
      ))}
      {groups.length === 0 && !more && (
        <EmptyState titleText="Nothing expires within 30 days" headingLevel="h2">
          <EmptyStateBody>
            To be reminded of a Secret, edit it and set a date on which it expires, or how often to rotate it.
          </EmptyStateBody>
        </EmptyState>
      )}
    </>
  );
}
