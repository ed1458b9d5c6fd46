import { EmptyState, EmptyStateBody, Label, SearchInput } from '@patternfly/react-core';
import { useState } from 'react';
import { Link, Navigate } from 'react-router';
import { useNamespaces } from '../../api/queries.ts';
import type { Namespaces } from '../../api/secrets-api.ts';
import { takeReturnAddress } from '../../session/return-address.ts';
import { QueryScreen } from '../../ui/query-screen.tsx';
import { Screen } from '../../ui/screen.tsx';
import { usePlaces } from '../../places/use-places.ts';
import { listPath } from '../../paths.ts';

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
  const [filter, setFilter] = useState('');
  const last = usePlaces().places.recentNamespaces[0];
  const shown = namespaces.filter(({ name }) => name.includes(filter.trim().toLowerCase()));
  const known = namespaces.some(({ name }) => name === last);
  return (
    <>
      {known && last !== undefined && (
        <p className="continue">
          Continue with <Link to={listPath(last)}>{last}</Link>
        </p>
      )}
      <SearchInput
        className="filter"
        placeholder="Filter by name"
        aria-label="Filter namespaces by name"
        value={filter}
        onChange={(_event, value) => setFilter(value)}
        onClear={() => setFilter('')}
      />
      <p role="status" className="count">
        {shown.length} of {namespaces.length} {namespaces.length === 1 ? 'namespace' : 'namespaces'}
      </p>
      <ul className="cards" aria-label="Namespaces">
        {shown.map(({ name, canCreate }) => (
          <li key={name}>
            <Link to={listPath(name)}>{name}</Link>
            {canCreate ? <Label isCompact>can create</Label> : null}
          </li>
        ))}
      </ul>
    </>
  );
}
