import { Button, EmptyStateActions } from '@patternfly/react-core';
import { Empty } from '../../ui/empty.tsx';
import { useCallback, useRef, useState, type ReactNode, useEffect } from 'react';
import type { SecretList, SecretSummary } from '../../api/secrets-api.ts';
import { useOpenSearch } from '../../ui/open-search.ts';
import { BulkAccess } from '../bulk/bulk-access.tsx';
import { DeleteDialog } from '../delete/delete-dialog.tsx';
import { ListToolbar, SelectionBar, type BulkAction } from './list-toolbar.tsx';
import { WHOLE_LIST, type View } from './list-view.ts';
import { SecretTable } from './secret-table.tsx';
import { useKeptView } from './use-kept-view.ts';
import { useListed, type Listed } from './use-listed.ts';
import { useSelection } from './use-selection.ts';
import { ProblemAlert } from '../../ui/problem.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { flushSync } from 'react-dom';
import { useLocation, useParams } from 'react-router';
import { useApi } from '../../api/api-context.ts';
import { useSecretList } from '../../api/queries.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { NothingIn } from '../../ui/nothing-in.tsx';
import { ReloadButton } from '../../ui/reload-button.tsx';
import { QueryScreen } from '../../ui/query-screen.tsx';
import { Screen } from '../../ui/screen.tsx';
import { useOnReturn } from '../../ui/use-on-return.ts';
import { useNow } from '../../ui/use-now.ts';
import { formatToday } from '../../values/format.ts';
import { usePlaces } from '../../places/use-places.ts';
import { activityPath, createPath, deletedPath } from '../../paths.ts';

/**
 * The Secrets of a namespace: narrowed down, sorted, and chosen for an action. A click on a link leaves, and the view is
 * kept before it does.
 */
function SecretBrowser({ list }: { readonly list: SecretList }) {
  const scroller = useRef<HTMLDivElement>(null);
  const { view: wanted, setView, keep, keepSoon } = useKeptView(scroller);
  const listed = useListed(list, wanted);
  const { view, loaded, pages } = listed;
  const selection = useSelection(loaded, pages?.query ?? '');
  const [action, setAction] = useState<BulkAction>();
  const close = () => setAction(undefined);
  const change = (changed: Partial<View>) => setView((old) => ({ ...old, ...changed }));
  const onDelete = useCallback(
    (secret: SecretSummary) => setAction({ kind: 'delete', secrets: [secret] }),
    [],
  );
  return (
    <div className="list" onClickCapture={keep}>
      <ListToolbar listed={{ ...listed, view: { ...view, text: wanted.text } }} onChange={change} />
      <ListStatus listed={listed}>
        {selection.selected.length === 0 ? undefined : (
          <SelectionBar namespace={list.namespace} selection={selection} onAction={setAction} />
        )}
      </ListStatus>
      {listed.rowCount > 0 ? (
        <SecretTable {...{ listed, selection, scroller, onDelete }} onSort={change} onScroll={keepSoon} />
      ) : (
        pages?.isLoading !== true && <NoMatches text={view.text.trim()} onClear={() => setView(WHOLE_LIST)} />
      )}
      {action?.kind === 'delete' && (
        <DeleteDialog secrets={action.secrets} onClose={close} onDeleted={() => goOn(action, close)} />
      )}
      {action?.kind === 'access' && (
        <BulkAccess namespace={list.namespace} secrets={action.secrets} onClose={close} />
      )}
    </div>
  );
}

/** Closes the dialog, which returns the focus to what opened it, and moves that on: its row is about to go. */
function goOn({ secrets }: BulkAction, close: () => void): void {
  flushSync(close);
  const names = new Set(secrets.map(({ name }) => name));
  const links = [...document.querySelectorAll<HTMLElement>('.secret-row a')];
  const others = links.filter(({ title }) => !names.has(title));
  const next = others[links.findIndex(({ title }) => names.has(title))] ?? others.at(-1);
  (next ?? document.getElementById('main'))?.focus();
}

interface NoMatchesProps {
  /** What was looked for. */
  readonly text: string;
  readonly onClear: () => void;
}

function NoMatches({ text, onClear }: NoMatchesProps) {
  const search = useOpenSearch();
  return (
    <Empty title="No matches" body="No Secret in this namespace matches.">
      <EmptyStateActions>
        <Button variant="secondary" onClick={() => search(text)}>
          Search all namespaces
        </Button>
        <Button variant="link" onClick={onClear}>
          Clear filters
        </Button>
      </EmptyStateActions>
    </Empty>
  );
}

interface ListStatusProps {
  readonly listed: Listed;
  /** What takes the place of the count, without moving a row. */
  readonly children: ReactNode;
}

/** How many Secrets there are, and what of a long list is not loaded. */
function ListStatus({ listed: { count, pages, isBounded }, children }: ListStatusProps) {
  const hasFailed = pages !== undefined && pages.error !== null;
  return (
    <>
      <div className="list-status">
        {children ?? (
          <p role="status" className="count">
            {count}
            {pages?.isLoading === true && ' · loading…'}
          </p>
        )}
      </div>
      {hasFailed && <ProblemAlert title="Couldn't load more Secrets" error={pages.error} />}
      {isBounded && (
        <p className="hint">
          In a long list, the text is searched for in all Secrets; the other filters apply to those that are
          loaded.
        </p>
      )}
      {(isBounded || hasFailed) && (
        <Button variant="link" isInline isDisabled={pages?.isLoading === true} onClick={pages?.loadMore}>
          {hasFailed ? 'Try again' : 'Load more'}
        </Button>
      )}
    </>
  );
}

/** The Secrets of a namespace that one may see; no value is anywhere near. */
export function ListPage() {
  const { namespace = '' } = useParams();
  const { key } = useLocation();
  const api = useApi();
  const queries = useQueryClient();
  const query = useSecretList(namespace);
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
  useOnReturn(() => {
    const queryKey = queryKeys.list(namespace);
    // The rows of a long list are its pages, and its time is not said to be later than theirs.
    const shown = queries.getQueryCache().findAll({ queryKey, type: 'active' });
    if (shown.every((one) => one.isStale())) void queries.invalidateQueries({ queryKey });
  });
  return (
    <QueryScreen
      query={query}
      what="the Secrets"
      onRetry={reload}
      stale={{ alert: "Couldn't refresh the list" }}
    >
      {(list, alert) => (
        <Screen aside={<ListActions list={list} isBusy={query.isFetching} onReload={reload} />}>
          {alert}
          {list.secrets.length === 0 ? (
            <NothingIn namespace={namespace}>
              <NoSecrets list={list} />
            </NothingIn>
          ) : (
            // Another address of the same list is another view of it.
            <SecretBrowser key={`${namespace} ${key}`} list={list} />
          )}
        </Screen>
      )}
    </QueryScreen>
  );
}

interface ListActionsProps {
  readonly list: SecretList;
  readonly isBusy: boolean;
  readonly onReload: () => void;
}

/** How old the list is, where else one can go, and what one comes for. */
function ListActions({ list: { namespace, asOf, canCreate, secrets }, isBusy, onReload }: ListActionsProps) {
  const now = useNow();
  return (
    <>
      <div className="actions list-facts">
        <span className="fresh" title="When the cluster was in this state. Refresh reads it again.">
          As of {formatToday(asOf, now)}
        </span>
        <ReloadButton label="Refresh the list" busy={isBusy} onClick={onReload} />
        <LinkButton to={activityPath(namespace)} variant="link">
          Activity
        </LinkButton>
        <LinkButton to={deletedPath(namespace)} variant="link">
          Deleted
        </LinkButton>
      </div>
      {/* For an empty list it is the main action, and is in the middle of the screen. */}
      {canCreate && secrets.length > 0 && (
        <LinkButton to={createPath(namespace)} variant="primary">
          Create
        </LinkButton>
      )}
    </>
  );
}

function NoSecrets({ list: { namespace, canCreate } }: { readonly list: SecretList }) {
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
