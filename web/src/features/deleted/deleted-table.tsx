import { Button } from '@patternfly/react-core';
import type { DeletedSecret } from '../../api/secrets-api.ts';
import { When } from '../../ui/when.tsx';
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
  const { table, name, by, keptUntil } = DELETED_WORDS;
  return (
    <table className="plain stacked" aria-label={table}>
      <thead>
        <tr>
          <th scope="col">{name}</th>
          <th scope="col">{DELETED_WORDS.deleted}</th>
          <th scope="col">{by}</th>
          <th scope="col">{keptUntil}</th>
          <th scope="col">
            <span className="pf-v6-screen-reader">{DELETED_WORDS.actions}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {deleted.map((one) => (
          <DeletedRow key={one.uid} one={one} {...actions} />
        ))}
      </tbody>
    </table>
  );
}

interface DeletedRowProps extends Omit<DeletedTableProps, 'deleted'> {
  readonly one: DeletedSecret;
}

function DeletedRow({ one, isBusy, onRestore, onRestoreAs, onRemove }: DeletedRowProps) {
  const { name, description, keyCount, keys, deletedAt, deletedBy, expiresAt } = one;
  const { by, keptUntil, forEver, restore, restoreName, restoreAs, restoreAsName, remove, removeName } =
    DELETED_WORDS;
  return (
    <tr>
      <th scope="row">
        {name}
        <span className="deleted-facts" title={keys.join(', ')}>
          {DELETED_WORDS.keys(keyCount)}
          {description !== '' && ` · ${description}`}
        </span>
      </th>
      <td data-label={DELETED_WORDS.deleted}>
        <When time={deletedAt} relative />
      </td>
      <td data-label={by}>{deletedBy}</td>
      <td data-label={keptUntil}>{expiresAt === undefined ? forEver : <When time={expiresAt} />}</td>
      <td className="deleted-actions">
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
        <Button variant="link" isDanger size="sm" aria-label={removeName(name)} onClick={() => onRemove(one)}>
          {remove}
        </Button>
      </td>
    </tr>
  );
}
