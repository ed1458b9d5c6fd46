import { Button } from '@patternfly/react-core';
import { Td, Th, Tr } from '@patternfly/react-table';
import type { DeletedSecret } from '../../api/secrets-api.ts';
import { When } from '../../ui/when.tsx';
import { SmallTable } from '../../ui/small-table.tsx';
import { DELETED_WORDS } from '../../words/deleted.ts';

export interface DeletedTableProps {
  readonly deleted: readonly DeletedSecret[];
  /** One is being restored. */
  readonly isBusy: boolean;
  readonly onRestore: (one: DeletedSecret) => void;
  readonly onRestoreAs: (one: DeletedSecret) => void;
  readonly onRemove: (one: DeletedSecret) => void;
}

/** The last deletion first. */
export function DeletedTable({ deleted, ...actions }: DeletedTableProps) {
  const { table, name, keptUntil } = DELETED_WORDS;
  return (
    <SmallTable
      label={table}
      columns={[name, DELETED_WORDS.deleted, keptUntil]}
      actions={DELETED_WORDS.actions}
      widths={['auto', '9.5rem', '9.5rem']}
    >
      {deleted.map((one) => (
        <DeletedRow key={one.uid} one={one} {...actions} />
      ))}
    </SmallTable>
  );
}

interface DeletedRowProps extends Omit<DeletedTableProps, 'deleted'> {
  readonly one: DeletedSecret;
}

function DeletedRow({ one, isBusy, onRestore, onRestoreAs, onRemove }: DeletedRowProps) {
  const { name, description, keyCount, keys, deletedAt, deletedBy, expiresAt } = one;
  const { keptUntil, forEver, restore, restoreName, restoreAs, restoreAsName, remove, removeName } =
    DELETED_WORDS;
  return (
    <Tr>
      <Th scope="row">
        {name}
        <span className="second-line" title={keys.join(', ')}>
          {DELETED_WORDS.keys(keyCount)}
          {description !== '' && ` · ${description}`}
        </span>
      </Th>
      <Td dataLabel={DELETED_WORDS.deleted}>
        <When time={deletedAt} relative />
        <span className="second-line">{deletedBy}</span>
      </Td>
      <Td dataLabel={keptUntil}>{expiresAt === undefined ? forEver : <When time={expiresAt} />}</Td>
      <Td modifier="fitContent">
        <div className="row-actions">
          <Button
            variant="secondary"
            size="sm"
            isDisabled={isBusy}
            aria-label={restoreName(name)}
            onClick={() => onRestore(one)}
          >
            {restore}
          </Button>
          <Button variant="link" size="sm" aria-label={restoreAsName(name)} onClick={() => onRestoreAs(one)}>
            {restoreAs}
          </Button>
          <Button
            variant="link"
            isDanger
            size="sm"
            aria-label={removeName(name)}
            onClick={() => onRemove(one)}
          >
            {remove}
          </Button>
        </div>
      </Td>
    </Tr>
  );
}
