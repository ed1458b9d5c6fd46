import { Card, CardHeader, EmptyState, EmptyStateBody, Gallery, Label } from '@patternfly/react-core';
import { useState } from 'react';
import { Link, Navigate } from 'react-router';
import { useNamespaces } from '../../api/queries.ts';
import type { Namespaces } from '../../api/secrets-api.ts';
import { takeReturnAddress } from '../../session/return-address.ts';
import { NameFilter } from '../../ui/name-filter.tsx';
import { QueryScreen } from '../../ui/query-screen.tsx';
import { Screen } from '../../ui/screen.tsx';
import { useNameFilter } from '../../ui/use-name-filter.ts';
import { usePlaces } from '../../places/use-places.ts';
import { listPath } from '../../paths.ts';
import { COMMON_WORDS } from '../../words/common.ts';
import { NAMESPACES_PAGE_WORDS } from '../../words/namespaces.ts';

const CARD_WIDTH = { default: 'min(16rem, 100%)' };

/** Where everything begins: the namespaces in scope. */
export function NamespacesPage() {
  const [returnTo] = useState(takeReturnAddress);
  const query = useNamespaces();
  if (returnTo !== undefined) return <Navigate to={returnTo} replace />;
  return (
    <QueryScreen query={query} what={NAMESPACES_PAGE_WORDS.theNamespaces} stale="shown">
      {(namespaces) => (
        <Screen title={COMMON_WORDS.namespaces}>
          {namespaces.length === 0 ? <NoNamespaces /> : <NamespaceList namespaces={namespaces} />}
        </Screen>
      )}
    </QueryScreen>
  );
}

function NoNamespaces() {
  return (
    <EmptyState titleText={NAMESPACES_PAGE_WORDS.none} headingLevel="h2">
      <EmptyStateBody>{NAMESPACES_PAGE_WORDS.noneAdvice}</EmptyStateBody>
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
          {NAMESPACES_PAGE_WORDS.continueWith} <Link to={listPath(last)}>{last}</Link>
        </p>
      )}
      <NameFilter
        label={NAMESPACES_PAGE_WORDS.filter}
        text={text}
        onChange={setText}
        status={NAMESPACES_PAGE_WORDS.count(shown.length, namespaces.length)}
      />
      <Gallery hasGutter component="ul" minWidths={CARD_WIDTH} aria-label={COMMON_WORDS.namespaces}>
        {shown.map(({ name, canCreate }) => (
          <Card key={name} isCompact component="li" className="namespace-card">
            <CardHeader
              actions={{
                hasNoOffset: true,
                actions: canCreate && <Label isCompact>{NAMESPACES_PAGE_WORDS.canCreate}</Label>,
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
