import { Button, EmptyState, EmptyStateBody, EmptyStateFooter } from '@patternfly/react-core';
import { useDeferredValue, useEffect, useMemo, useRef } from 'react';
import { useParams } from 'react-router';
import { useApi } from '../../api/api-context.ts';
import { useNamespaces, useSecretList } from '../../api/queries.ts';
import type { SecretList } from '../../api/secrets-api.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { ReloadButton } from '../../ui/reload-button.tsx';
import { QueryScreen } from '../../ui/query-screen.tsx';
import { Screen } from '../../ui/screen.tsx';
import { useNow } from '../../ui/use-now.ts';
import { formatToday } from '../../values/format.ts';
import { usePlaces } from '../../places/use-places.ts';
import { ListFilters } from './list-filters.tsx';
import { typesOf, viewOf, WHOLE_LIST, type Column, type View } from './list-view.ts';
import { SecretTable } from './secret-table.tsx';
import { useKeptView } from './use-kept-view.ts';
import { createPath, deletedPath } from '../../paths.ts';
import { DELETED_WORDS } from '../../words/deleted.ts';

/** The Secrets of a namespace that one may see; no value is anywhere near. */
export function ListPage() {
  const { namespace = '' } = useParams();
  const api = useApi();
  const query = useSecretList(namespace);
  const now = useNow();
  const isVisible = query.data !== undefined && query.data.secrets.length > 0;
  const { visitNamespace } = usePlaces();
  useEffect(() => {
    if (isVisible) visitNamespace(namespace);
  }, [isVisible, namespace, visitNamespace]);
  const reload = () => {
    api.readNextListLive(namespace);
    void query.refetch();
  };
  return (
    <QueryScreen
      query={query}
      what="the Secrets"
      onRetry={reload}
      stale={{ alert: "Couldn't refresh the list" }}
    >
      {(list, alert) => (
        <Screen
          title={namespace}
          crumbs={[{ text: 'Namespaces', to: '/' }, { text: namespace }]}
          aside={
            <div className="actions">
              <LinkButton to={deletedPath(namespace)} variant="link">
                {DELETED_WORDS.link}
              </LinkButton>
              {/* For an empty list it is the main action, and is in the middle of the screen. */}
              {list.canCreate && list.secrets.length > 0 && (
                <LinkButton to={createPath(namespace)} variant="primary">
                  Create
                </LinkButton>
              )}
            </div>
          }
        >
          {alert}
          <p className="fresh">
            <span title="When the cluster was in this state. Refresh reads it again.">
              As of {formatToday(list.asOf, now)}
            </span>
            <ReloadButton label="Refresh the list" busy={query.isFetching} onClick={reload} />
          </p>
          {list.secrets.length === 0 ? <NoSecrets list={list} /> : <Secrets key={namespace} list={list} />}
        </Screen>
      )}
    </QueryScreen>
  );
}

function NoSecrets({ list: { namespace, canCreate } }: { readonly list: SecretList }) {
  const namespaces = useNamespaces().data;
  // An address can name anything, and the list of a namespace that does not exist is empty.
  if (namespaces?.some(({ name }) => name === namespace) === false) return <NoSuchNamespace />;
  return (
    <EmptyState titleText="No Secrets to show" headingLevel="h2">
      <EmptyStateBody>
        {canCreate
          ? 'Create the first one.'
          : 'To get access, contact an administrator or an owner of the namespace.'}
      </EmptyStateBody>
      {canCreate && (
        <EmptyStateFooter>
          <LinkButton to={createPath(namespace)} variant="primary">
            Create a Secret
          </LinkButton>
        </EmptyStateFooter>
      )}
    </EmptyState>
  );
}

function NoSuchNamespace() {
  return (
    <EmptyState titleText="Namespace not found" headingLevel="h2">
      <EmptyStateBody>Check the address for a typo, or choose a namespace from the list.</EmptyStateBody>
      <EmptyStateFooter>
        <LinkButton to="/" variant="primary">
          Show namespaces
        </LinkButton>
      </EmptyStateFooter>
    </EmptyState>
  );
}

function Secrets({ list: { secrets } }: { readonly list: SecretList }) {
  const scroller = useRef<HTMLDivElement>(null);
  const { view, setView, keep, keepSoon } = useKeptView(scroller);
  // Typing stays quick however long the list is: the rows follow a moment later.
  const settled = useDeferredValue(view);
  const shown = useMemo(() => viewOf(secrets, settled), [secrets, settled]);
  const types = useMemo(() => typesOf(secrets), [secrets]);
  const change = (changed: Partial<View>) => setView((old) => ({ ...old, ...changed }));
  const sort = (column: Column) =>
    setView((old) => ({ ...old, sort: column, descending: old.sort === column && !old.descending }));
  return (
    // A click on a link leaves, and the view is kept before it does.
    <div className="list" onClickCapture={keep}>
      <ListFilters view={view} types={types} onChange={change} />
      <p role="status" className="count">
        {shown.length} of {secrets.length} {secrets.length === 1 ? 'Secret' : 'Secrets'}
      </p>
      {shown.length > 0 ? (
        <SecretTable secrets={shown} view={view} onSort={sort} scroller={scroller} onScroll={keepSoon} />
      ) : (
        <EmptyState titleText="No matches" headingLevel="h2">
          <EmptyStateBody>
            <Button variant="link" onClick={() => setView(WHOLE_LIST)}>
              Clear filters
            </Button>
          </EmptyStateBody>
        </EmptyState>
      )}
    </div>
  );
}
