import { Label } from '@patternfly/react-core';
import UndoIcon from '@patternfly/react-icons/dist/esm/icons/undo-icon';
import { useMemo } from 'react';
import type { FormValues } from '../../values/value.ts';
import { rowProblems, type Row } from '../../editing/draft.ts';
import { listedRows, type ListedRow } from '../../editing/row-state.ts';
import {
  indispensableKeys,
  privateKeyOf,
  typeWarning,
  type TypeFields,
  type TypeNeed,
} from '../../editing/secret-types.ts';
import { Undrawn, useDrawn } from '../../ui/undrawn.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { RowEditor } from './row-editor.tsx';
import type { RowActions } from './use-row-actions.ts';

export interface RowListProps {
  readonly type: string;
  readonly rows: readonly Row[];
  /** The values of the Secret as it was loaded; undefined for a new one. */
  readonly base: FormValues | undefined;
  /** Whether another part of the form shows a key. */
  readonly isElsewhere: (key: string) => boolean;
  /** What the form of the type calls its keys; none where they are shown as they are. */
  readonly fields: TypeFields;
  readonly need: TypeNeed | undefined;
  readonly actions: RowActions;
}

const NOTHING: FormValues = new Map();
/** The height of a row, as the style sheet has it. */
const ROW_REM = 3.5;

const keyOf = (one: ListedRow): string => (one.kind === 'row' ? one.row.key : one.key);
/** A row stays the same while its key is typed; ids are numbers, and no key is one. */
const idOf = (one: ListedRow): string | number => (one.kind === 'row' ? one.row.id : one.key);

/** The fields of a form in their own order, and everything else behind them. */
function inOrderOf(fields: TypeFields, listed: readonly ListedRow[]): readonly ListedRow[] {
  if (fields.size === 0) return listed;
  const places = new Map([...fields.keys()].map((key, place) => [key, place]));
  const placeOf = (one: ListedRow) => places.get(keyOf(one)) ?? fields.size;
  return listed.toSorted((left, right) => placeOf(left) - placeOf(right));
}

/** All keys with their values, and what became of them. */
export function RowList(props: RowListProps) {
  const { type, rows, base, isElsewhere, fields, need, actions } = props;
  const problems = useMemo(() => rowProblems(rows), [rows]);
  const indispensable = useMemo(() => indispensableKeys(type, rows), [type, rows]);
  const listed = useMemo(() => listedRows(base ?? NOTHING, rows), [base, rows]);
  const visible = useMemo(() => inOrderOf(fields, listed), [fields, listed]).filter(
    (one) => !isElsewhere(keyOf(one)),
  );
  const { drawn, undrawn, rest } = useDrawn(visible, idOf);
  return (
    <ul className="rows" aria-label="Keys and values" ref={actions.list}>
      {drawn.map((one, index) => {
        if (one.kind === 'removed') {
          return <RemovedRow key={`removed ${one.key}`} name={one.key} onRestore={actions.restore} />;
        }
        const { row, state } = one;
        return (
          <RowEditor
            key={row.id}
            row={row}
            number={index + 1}
            label={fields.get(row.key)}
            state={state}
            problem={problems.get(row.id)}
            need={row.key === need?.key ? need.text : undefined}
            warning={typeWarning(type, row)}
            privateKey={privateKeyOf(type, row.key, rows)}
            isRemovable={!(row.fixed && indispensable.includes(row.key))}
            onChange={actions.change}
            onRemove={actions.remove}
            onUndo={base === undefined ? undefined : actions.undo}
          />
        );
      })}
      <Undrawn place={rest} count={undrawn} rem={ROW_REM} />
    </ul>
  );
}

interface RemovedRowProps {
  readonly name: string;
  readonly onRestore: (key: string) => void;
}

function RemovedRow({ name, onRestore }: RemovedRowProps) {
  return (
    <li className="row-editor is-removed" data-key={name}>
      <del className="row-key row-name">{name}</del>
      <span />
      <div className="row-tools">
        <Label isCompact color="red">
          removed
        </Label>
        <IconButton
          label={`Undo the removal of ${name}`}
          icon={<UndoIcon />}
          onClick={() => onRestore(name)}
        />
      </div>
    </li>
  );
}
