import { Alert, Button } from '@patternfly/react-core';
import { Empty } from '../../ui/empty.tsx';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { useParams } from 'react-router';
import { useDeleted, useLevelOn } from '../../api/queries.ts';
import type { DeletedSecret } from '../../api/secrets-api.ts';
import { listPath } from '../../paths.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { NameFilter, useNameFilter } from '../../ui/name-filter.tsx';
import { NothingIn } from '../../ui/nothing-in.tsx';
import { QueryScreen } from '../../ui/query-screen.tsx';
import { ReloadButton } from '../../ui/reload-button.tsx';
import { Screen } from '../../ui/screen.tsx';
import { SlowWrite } from '../../ui/slow.tsx';
import { RemoveDialog, RestoreAsDialog, UndeleteFailure, useUndelete } from './actions.tsx';
import { Td, Th, Tr } from '@patternfly/react-table';
import { allows } from '../../editing/rules.ts';
import { useOnReturn } from '../../ui/use-on-return.ts';
import { When } from '../../ui/when.tsx';
import { SmallTable } from '../../ui/small-table.tsx';
import { counted } from '../../values/format.ts';

/** Fewer are found without a filter. */
const FILTERED_FROM = 10;

/** The deleted Secrets of a namespace that one may see. */
export function DeletedPage() {
  const { namespace = '' } = useParams();
  const query = useDeleted(namespace);
  const reload = () => void query.refetch();
  useOnReturn(reload);
  return (
    <QueryScreen
      query={query}
      what="the deleted Secrets"
      stale={{ alert: "Couldn't refresh the deleted Secrets" }}
    >
      {(deleted, alert) => (
        <Screen
          aside={
            <ReloadButton label="Refresh the deleted Secrets" busy={query.isFetching} onClick={reload} />
          }
        >
          {alert}
          {deleted.length === 0 ? (
            <NothingIn namespace={namespace}>
              <Empty title="No deleted Secrets" body="You can restore deleted Secrets from this page.">
                <LinkButton to={listPath(namespace)}>Show Secrets in {namespace}</LinkButton>
              </Empty>
            </NothingIn>
          ) : (
            <Deleted key={namespace} namespace={namespace} deleted={deleted} />
          )}
        </Screen>
      )}
    </QueryScreen>
  );
}

interface DeletedProps {
  readonly namespace: string;
  readonly deleted: readonly DeletedSecret[];
}

function Deleted({ namespace, deleted }: DeletedProps) {
  const [dialog, setDialog] = useState<DeletedAction>();
  const { restore, isBusy, failure, clear } = useUndelete(() => undefined);
  const { text, setText, shown } = useNameFilter(deleted);
  const close = () => setDialog(undefined);
  const onAction = (action: DeletedAction) => {
    const { kind, one } = action;
    clear();
    if (kind === 'restore') void restore({ ref: { namespace, uid: one.uid }, deleted: one, name: one.name });
    else setDialog(action);
  };
  return (
    <div className="deleted">
      <ValuesNote expire={deleted.some(({ expiresAt }) => expiresAt !== undefined)} />
      {failure !== undefined && <UndeleteFailure failure={failure} />}
      <SlowWrite isBusy={isBusy} />
      {(deleted.length >= FILTERED_FROM || text !== '') && (
        <NameFilter
          label="Filter by name"
          text={text}
          onChange={setText}
          status={`${shown.length} of ${deleted.length}`}
        />
      )}
      <DeletedTable {...{ namespace, isBusy, onAction }} deleted={shown} />
      <p className="hint">A restored Secret starts at version 1. Its earlier history stays here.</p>
      {dialog?.kind === 'restoreAs' && (
        <RestoreAsDialog namespace={namespace} deleted={dialog.one} onClose={close} />
      )}
      {dialog?.kind === 'remove' && (
        <RemoveDialog
          namespace={namespace}
          deleted={dialog.one}
          onClose={close}
          onRemoved={() => {
            // The dialog returns the focus to its row, which is about to go.
            flushSync(close);
            document.getElementById('main')?.focus({ preventScroll: true });
          }}
        />
      )}
    </div>
  );
}

function ValuesNote({ expire }: { readonly expire: boolean }) {
  return (
    <Alert
      isInline
      isPlain
      className="deleted-note"
      variant="info"
      component="p"
      title="The values of these Secrets are still in the cluster"
    >
      {expire
        ? 'They stay until the time under “Kept until”, or until someone deletes them permanently.'
        : 'They stay until someone deletes them permanently.'}
    </Alert>
  );
}

/** What can be done with one of them. */
const ACTIONS = [
  { kind: 'restore', text: 'Restore', nameOf: (name: string) => `Restore ${name}`, variant: 'secondary' },
  {
    kind: 'restoreAs',
    text: 'Restore as…',
    nameOf: (name: string) => `Restore ${name} as another Secret`,
    variant: 'link',
  },
  {
    kind: 'remove',
    text: 'Delete permanently',
    nameOf: (name: string) => `Delete ${name} permanently`,
    variant: 'link',
  },
] as const;

interface DeletedAction {
  readonly kind: (typeof ACTIONS)[number]['kind'];
  readonly one: DeletedSecret;
}

interface DeletedTableProps extends DeletedProps {
  /** One is being restored. */
  readonly isBusy: boolean;
  readonly onAction: (action: DeletedAction) => void;
}

/** The last deletion first. */
function DeletedTable({ namespace, deleted, isBusy, onAction }: DeletedTableProps) {
  const levelOn = useLevelOn(namespace);
  return (
    <SmallTable
      label="Deleted Secrets"
      columns={['Name', 'Deleted', 'Kept until']}
      actions="Actions"
      widths={['auto', '13rem', '1%']}
    >
      {deleted.map((one) => (
        <DeletedRow
          key={one.uid}
          one={one}
          mayManage={allows(levelOn(one), 'manage')}
          {...{ isBusy, onAction }}
        />
      ))}
    </SmallTable>
  );
}

interface DeletedRowProps extends Omit<DeletedTableProps, 'namespace' | 'deleted'> {
  readonly one: DeletedSecret;
  readonly mayManage: boolean;
}

function DeletedRow({ one, mayManage, isBusy, onAction }: DeletedRowProps) {
  const { name, description, keyCount, keys, deletedAt, deletedBy, uncertain, expiresAt } = one;
  return (
    <Tr>
      <Th scope="row">
        {name}
        <span className="second-line" title={keys.join(', ')}>
          {counted(keyCount, 'key')}
          {description !== '' && ` · ${description}`}
        </span>
      </Th>
      <Td dataLabel="Deleted">
        {deletedAt === undefined ? 'time unknown' : <When time={deletedAt} relative />}
        <span className="second-line">
          {uncertain ? 'Someone else may have deleted it, with other values.' : deletedBy}
        </span>
      </Td>
      <Td dataLabel="Kept until" className="fit">
        {expiresAt === undefined ? 'no end date' : <When time={expiresAt} />}
      </Td>
      <Td modifier="fitContent">
        {mayManage && (
          <div className="row-actions">
            {ACTIONS.map(({ kind, text, nameOf, variant }) => (
              <Button
                key={kind}
                {...{ variant }}
                size="sm"
                isDanger={kind === 'remove'}
                isAriaDisabled={isBusy && kind === 'restore'}
                aria-label={nameOf(name)}
                onClick={() => onAction({ kind, one })}
              >
                {text}
              </Button>
            ))}
          </div>
        )}
      </Td>
    </Tr>
  );
}
