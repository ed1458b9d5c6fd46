import { Button } from '@patternfly/react-core';
import { Td, Th, Tr } from '@patternfly/react-table';
import { useLevelOn } from '../../api/queries.ts';
import type { DeletedSecret } from '../../api/secrets-api.ts';
import { allows } from '../../editing/rules.ts';
import { When } from '../../ui/when.tsx';
import { SmallTable } from '../../ui/small-table.tsx';
import { counted } from '../../values/format.ts';

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

export interface DeletedAction {
  readonly kind: (typeof ACTIONS)[number]['kind'];
  readonly one: DeletedSecret;
}

interface DeletedTableProps {
  readonly namespace: string;
  readonly deleted: readonly DeletedSecret[];
  /** One is being restored. */
  readonly isBusy: boolean;
  readonly onAction: (action: DeletedAction) => void;
}

/** The last deletion first. */
export function DeletedTable({ namespace, deleted, isBusy, onAction }: DeletedTableProps) {
  const levelOn = useLevelOn(namespace);
  return (
    <SmallTable
      label="Deleted Secrets"
      columns={['Name', 'Deleted', 'Kept until']}
      actions="Actions"
      widths={['auto', '9.5rem', '9.5rem']}
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
      <Td dataLabel="Kept until">{expiresAt === undefined ? 'no end date' : <When time={expiresAt} />}</Td>
      <Td modifier="fitContent">
        {mayManage && (
          <div className="row-actions">
            {ACTIONS.map(({ kind, text, nameOf, variant }) => (
              <Button
                key={kind}
                {...{ variant }}
                size="sm"
                isDanger={kind === 'remove'}
                isDisabled={isBusy && kind === 'restore'}
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
