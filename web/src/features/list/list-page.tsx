import { Empty } from '../../ui/empty.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation, useParams } from 'react-router';
import { useApi } from '../../api/api-context.ts';
import { useNamespaceAccess, useNamespaces, useSecretList } from '../../api/queries.ts';
import { queryKeys } from '../../api/query-keys.ts';
import type { SecretList } from '../../api/secrets-api.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { NoAccess } from '../../ui/no-access.tsx';
import { ReloadButton } from '../../ui/reload-button.tsx';
import { QueryScreen } from '../../ui/query-screen.tsx';
import { Screen } from '../../ui/screen.tsx';
import { useNow } from '../../ui/use-now.ts';
import { formatToday } from '../../values/format.ts';
import { usePlaces } from '../../places/use-places.ts';
import { activityPath, createPath, deletedPath } from '../../paths.ts';
import { SecretBrowser } from './secret-browser.tsx';

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
      what="the Secrets"
      onRetry={reload}
      stale={{ alert: "Couldn't refresh the list" }}
    >
      {(list, alert) => (
        <Screen
          title={namespace}
          aside={
            <div className="actions">
              <span className="fresh" title="When the cluster was in this state. Refresh reads it again.">
                As of {formatToday(list.asOf, now)}
              </span>
              <ReloadButton label="Refresh the list" busy={query.isFetching} onClick={reload} />
              <LinkButton to={activityPath(namespace)} variant="link">
                Activity
              </LinkButton>
              <LinkButton to={deletedPath(namespace)} variant="link">
                Deleted
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
  const level = useNamespaceAccess(namespace).data?.level;
  // An address can name anything, and the list of a namespace that does not exist is empty.
  if (namespaces?.some(({ name }) => name === namespace) === false) {
    return (
      <Empty
        title="Namespace not found"
        body="Check the address for a typo, or choose a namespace from the list."
      >
        <LinkButton to="/" variant="primary">
          Show namespaces
        </LinkButton>
      </Empty>
    );
  }
  if (level === 'none') return <NoAccess />;
  return (
    <Empty
      title="No Secrets to show"
      body={canCreate ? 'Create the first one.' : "You can't create Secrets in this namespace."}
    >
      {canCreate ? (
        <LinkButton to={createPath(namespace)} variant="primary">
          Create a Secret
        </LinkButton>
      ) : undefined}
    </Empty>
  );
}
