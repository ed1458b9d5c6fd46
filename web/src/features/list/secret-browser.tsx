import { Button, EmptyStateActions } from '@patternfly/react-core';
import { Empty } from '../../ui/empty.tsx';
import { useCallback, useRef, useState, type ReactNode } from 'react';
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

/**
 * The Secrets of a namespace: narrowed down, sorted, and chosen for an action. A click on a link leaves, and the view is
 * kept before it does.
 */
export function SecretBrowser({ list }: { readonly list: SecretList }) {
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
        <DeleteDialog secrets={action.secrets} onClose={close} onDeleted={close} />
      )}
      {action?.kind === 'access' && (
        <BulkAccess namespace={list.namespace} secrets={action.secrets} onClose={close} />
      )}
    </div>
  );
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
