import { Button } from '@patternfly/react-core';
import { Td, Th, Tr } from '@patternfly/react-table';
import { useLevelOn } from '../../api/queries.ts';
import type { DeletedSecret } from '../../api/secrets-api.ts';
import { allows } from '../../editing/rules.ts';
import { When } from '../../ui/when.tsx';
import { SmallTable } from '../../ui/small-table.tsx';
import { counted } from '../../values/format.ts';

export interface DeletedTableProps {
  readonly namespace: string;
  readonly deleted: readonly DeletedSecret[];
  /** One is being restored. */
  readonly isBusy: boolean;
  readonly onRestore: (one: DeletedSecret) => void;
  readonly onRestoreAs: (one: DeletedSecret) => void;
  readonly onRemove: (one: DeletedSecret) => void;
}

/** The last deletion first. */
export function DeletedTable({ namespace, deleted, ...actions }: DeletedTableProps) {
  const levelOn = useLevelOn(namespace);
  return (
    <SmallTable
      label="Deleted Secrets"
      columns={['Name', 'Deleted', 'Kept until']}
      actions="Actions"
      widths={['auto', '9.5rem', '9.5rem']}
    >
      {deleted.map((one) => (
        <DeletedRow key={one.uid} one={one} mayManage={allows(levelOn(one), 'manage')} {...actions} />
      ))}
    </SmallTable>
  );
}

interface DeletedRowProps extends Omit<DeletedTableProps, 'namespace' | 'deleted'> {
  readonly one: DeletedSecret;
  readonly mayManage: boolean;
}

function DeletedRow({ one, mayManage, ...actions }: DeletedRowProps) {
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
      <Td dataLabel="Kept until">{expiresAt === undefined ? 'no end date' : <When time={expiresAt} />}</Td>
      <Td modifier="fitContent">{mayManage && <RowActions one={one} {...actions} />}</Td>
    </Tr>
  );
}

function RowActions({ one, isBusy, onRestore, onRestoreAs, onRemove }: Omit<DeletedRowProps, 'mayManage'>) {
  const { name } = one;
  return (
    <div className="row-actions">
      <Button
        variant="secondary"
        size="sm"
        isDisabled={isBusy}
        aria-label={`Restore ${name}`}
        onClick={() => onRestore(one)}
      >
        Restore
      </Button>
      <Button
        variant="link"
        size="sm"
        aria-label={`Restore ${name} as another Secret`}
        onClick={() => onRestoreAs(one)}
      >
        Restore as…
      </Button>
      <Button
        variant="link"
        isDanger
        size="sm"
        aria-label={`Delete ${name} permanently`}
        onClick={() => onRemove(one)}
      >
        Delete permanently
      </Button>
    </div>
  );
}
