import { EmptyState, EmptyStateBody, EmptyStateFooter } from '@patternfly/react-core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation, useParams } from 'react-router';
import { useApi } from '../../api/api-context.ts';
import { useNamespaces, useSecretList } from '../../api/queries.ts';
import { queryKeys } from '../../api/query-keys.ts';
import type { SecretList } from '../../api/secrets-api.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { ReloadButton } from '../../ui/reload-button.tsx';
import { QueryScreen } from '../../ui/query-screen.tsx';
import { Screen } from '../../ui/screen.tsx';
import { useNow } from '../../ui/use-now.ts';
import { formatToday } from '../../values/format.ts';
import { usePlaces } from '../../places/use-places.ts';
import { createPath, deletedPath } from '../../paths.ts';
import { LIST_WORDS } from '../../words/list.ts';
import { SecretBrowser } from './secret-browser.tsx';
import { DELETED_WORDS } from '../../words/deleted.ts';
import { COMMON_WORDS } from '../../words/common.ts';
import { LIST_PAGE_WORDS } from '../../words/list.ts';

/** The Secrets of a namespace that one may see; no value is anywhere near. */
export function ListPage() {
  const { namespace = '' } = useParams();
  const { key } = useLocation();
  const api = useApi();
  const queries = useQueryClient();
  const query = useSecretList(namespace);
  const now = useNow();
  const isVisible = query.data !== undefined && query.data.secrets.length > 0;
  const { visitNamespace } = usePlaces();
  useEffect(() => {
    if (isVisible) visitNamespace(namespace);
  }, [isVisible, namespace, visitNamespace]);
  const reload = () => {
    api.readNextListLive(namespace);
    // With the pages of a long list.
    void queries.invalidateQueries({ queryKey: queryKeys.list(namespace) });
  };
  return (
    <QueryScreen
      query={query}
      what={LIST_PAGE_WORDS.theSecrets}
      onRetry={reload}
      stale={{ alert: LIST_WORDS.refreshFailed }}
    >
      {(list, alert) => (
        <Screen
          title={namespace}
          crumbs={[{ text: COMMON_WORDS.namespaces, to: '/' }, { text: namespace }]}
          aside={
            <div className="actions">
              <span className="fresh" title={LIST_WORDS.asOfHint}>
                {LIST_WORDS.asOf(formatToday(list.asOf, now))}
              </span>
              <ReloadButton label={LIST_WORDS.refresh} busy={query.isFetching} onClick={reload} />
              <LinkButton to={deletedPath(namespace)} variant="link">
                {DELETED_WORDS.link}
              </LinkButton>
              {/* For an empty list it is the main action, and is in the middle of the screen. */}
              {list.canCreate && list.secrets.length > 0 && (
                <LinkButton to={createPath(namespace)} variant="primary">
                  {LIST_WORDS.create}
                </LinkButton>
              )}
            </div>
          }
        >
          {alert}
          {list.secrets.length === 0 ? (
            <NoSecrets list={list} />
          ) : (
            // Another address of the same list is another view of it.
            <SecretBrowser key={`${namespace} ${key}`} list={list} />
          )}
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
    <EmptyState titleText={LIST_WORDS.none} headingLevel="h2">
      <EmptyStateBody>{canCreate ? LIST_WORDS.noneCreate : LIST_WORDS.noneForbidden}</EmptyStateBody>
      {canCreate && (
        <EmptyStateFooter>
          <LinkButton to={createPath(namespace)} variant="primary">
            {LIST_WORDS.createFirst}
          </LinkButton>
        </EmptyStateFooter>
      )}
    </EmptyState>
  );
}

function NoSuchNamespace() {
  return (
    <EmptyState titleText={LIST_WORDS.noSuchNamespace} headingLevel="h2">
      <EmptyStateBody>{LIST_WORDS.noSuchNamespaceHint}</EmptyStateBody>
      <EmptyStateFooter>
        <LinkButton to="/" variant="primary">
          {LIST_WORDS.showNamespaces}
        </LinkButton>
      </EmptyStateFooter>
    </EmptyState>
  );
}
