import { Card, CardHeader, EmptyState, EmptyStateBody, Gallery, Label } from '@patternfly/react-core';
import { useState } from 'react';
import { Link, Navigate } from 'react-router';
import { useNamespaces } from '../../api/queries.ts';
import type { Namespaces } from '../../api/secrets-api.ts';
import { takeReturnAddress } from '../../session/return-address.ts';
import { NameFilter, useNameFilter } from '../../ui/name-filter.tsx';
import { QueryScreen } from '../../ui/query-screen.tsx';
import { Screen } from '../../ui/screen.tsx';
import { usePlaces } from '../../places/use-places.ts';
import { listPath } from '../../paths.ts';
import { counted } from '../../values/format.ts';

const CARD_WIDTH = { default: 'min(16rem, 100%)' };

/** Where everything begins: the namespaces in scope. */
export function NamespacesPage() {
  const [returnTo] = useState(takeReturnAddress);
  const query = useNamespaces();
  if (returnTo !== undefined) return <Navigate to={returnTo} replace />;
  return (
    <QueryScreen query={query} what="the namespaces" stale="shown">
      {(namespaces) => (
        <Screen title="Namespaces">
          {namespaces.length === 0 ? <NoNamespaces /> : <NamespaceList namespaces={namespaces} />}
        </Screen>
      )}
    </QueryScreen>
  );
}

function NoNamespaces() {
  return (
    <EmptyState titleText="No namespaces yet" headingLevel="h2">
      <EmptyStateBody>Contact an administrator to have your namespace added.</EmptyStateBody>
    </EmptyState>
  );
}

function NamespaceList({ namespaces }: { readonly namespaces: Namespaces }) {
  const { text, setText, shown } = useNameFilter(namespaces);
  const last = usePlaces().places.recentNamespaces[0];
  const known = namespaces.some(({ name }) => name === last);
  return (
    <>
      {known && last !== undefined && (
        <p className="continue">
          Continue with <Link to={listPath(last)}>{last}</Link>
        </p>
      )}
      <NameFilter
        label="Filter namespaces by name"
        text={text}
        onChange={setText}
        status={`${shown.length} of ${counted(namespaces.length, 'namespace')}`}
      />
      <Gallery hasGutter component="ul" minWidths={CARD_WIDTH} aria-label="Namespaces">
        {shown.map(({ name, canCreate }) => (
          <Card key={name} isCompact component="li" className="namespace-card">
            <CardHeader
              actions={{
                hasNoOffset: true,
                actions: canCreate && <Label isCompact>can create</Label>,
              }}
            >
              <Link to={listPath(name)}>{name}</Link>
            </CardHeader>
          </Card>
        ))}
      </Gallery>
    </>
  );
}
