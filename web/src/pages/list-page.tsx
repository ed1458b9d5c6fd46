import { Button, EmptyState, EmptyStateBody, EmptyStateFooter } from '@patternfly/react-core';
import SyncAltIcon from '@patternfly/react-icons/dist/esm/icons/sync-alt-icon';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { useParams } from 'react-router';
import { useSecretList } from '../api/queries.ts';
import type { SecretList } from '../api/secrets-api.ts';
import { LinkButton } from '../components/link-button.tsx';
import { Problem } from '../shell/problem.tsx';
import { Loading, Screen } from '../shell/screen.tsx';
import { rememberNamespace } from './last-namespace.ts';
import { ListFilters } from './list/list-filters.tsx';
import { typesOf, viewOf, WHOLE_LIST, type Column, type View } from './list/list-view.ts';
import { SecretTable } from './list/secret-table.tsx';

/** The Secrets of a namespace that one may see; no value is anywhere near. */
export function ListPage() {
  const { namespace = '' } = useParams();
  const { data, error, refetch, isFetching, dataUpdatedAt } = useSecretList(namespace);
  useEffect(() => {
    if (data !== undefined) rememberNamespace(namespace);
  }, [data, namespace]);
  const again = () => void refetch();
  if (error !== null && data === undefined) return <Problem error={error} retry={again} />;
  if (data === undefined) return <Loading what="the Secrets" />;
  return (
    <Screen
      title={namespace}
      crumbs={[{ text: 'Namespaces', to: '/' }, { text: namespace }]}
      aside={
        data.canCreate && (
          <LinkButton to={`/namespaces/${namespace}/create`} variant="primary">
            Create
          </LinkButton>
        )
      }
    >
      {error !== null && <Problem error={error} retry={again} />}
      <p className="fresh">
        As of {new Date(dataUpdatedAt).toLocaleTimeString()}
        <Button
          variant="plain"
          aria-label="Refresh the list"
          title="Refresh"
          icon={<SyncAltIcon />}
          isDisabled={isFetching}
          onClick={again}
        />
      </p>
      {data.secrets.length === 0 ? <NoSecrets list={data} /> : <Secrets list={data} />}
    </Screen>
  );
}

function NoSecrets({ list: { namespace, canCreate } }: { readonly list: SecretList }) {
  return (
    <EmptyState titleText="No Secrets that you may see" headingLevel="h2">
      <EmptyStateBody>
        {canCreate
          ? 'Create the first one.'
          : 'Ask an administrator, or an owner of the namespace, for access to the Secrets that you need.'}
      </EmptyStateBody>
      {canCreate && (
        <EmptyStateFooter>
          <LinkButton to={`/namespaces/${namespace}/create`} variant="primary">
            Create a Secret
          </LinkButton>
        </EmptyStateFooter>
      )}
    </EmptyState>
  );
}

function Secrets({ list: { secrets } }: { readonly list: SecretList }) {
  const [view, setView] = useState<View>(WHOLE_LIST);
  // Typing stays quick however long the list is: the rows follow a moment later.
  const settled = useDeferredValue(view);
  const shown = useMemo(() => viewOf(secrets, settled), [secrets, settled]);
  const types = useMemo(() => typesOf(secrets), [secrets]);
  const sort = (column: Column) =>
    setView((old) => ({ ...old, sort: column, descending: old.sort === column && !old.descending }));
  return (
    <>
      <ListFilters
        view={view}
        types={types}
        onChange={(change) => setView((old) => ({ ...old, ...change }))}
      />
      <p role="status" className="count">
        {shown.length} of {secrets.length} {secrets.length === 1 ? 'Secret' : 'Secrets'}
      </p>
      {shown.length > 0 ? (
        <SecretTable secrets={shown} view={view} onSort={sort} />
      ) : (
        <EmptyState titleText="Nothing matches" headingLevel="h2">
          <EmptyStateBody>
            <Button variant="link" onClick={() => setView(WHOLE_LIST)}>
              Show everything again
            </Button>
          </EmptyStateBody>
        </EmptyState>
      )}
    </>
  );
}
