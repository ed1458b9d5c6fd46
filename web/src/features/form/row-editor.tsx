import { Label, TextInput } from '@patternfly/react-core';
import TrashIcon from '@patternfly/react-icons/dist/esm/icons/trash-icon';
import UndoIcon from '@patternfly/react-icons/dist/esm/icons/undo-icon';
import { memo, useId, useState } from 'react';
import { FieldMessage } from '../../ui/text-field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import type { Row, RowChange, RowProblem } from '../../editing/draft.ts';
import type { RowState } from '../../editing/row-state.ts';
import type { Value } from '../../values/value.ts';
import { CertificateNotes } from './certificate-notes.tsx';
import { ValueEditor } from './value-editor.tsx';

/** All of them stay the same while something else is typed, since there may be thousands of rows. */
export interface RowEditorProps {
  readonly row: Row;
  /** Its place in the list, from 1, which distinguishes the key fields. */
  readonly number: number;
  /** What the form of the type calls the key, which then cannot be changed. */
  readonly label: string | undefined;
  readonly state: RowState;
  readonly problem: RowProblem | undefined;
  /** What the type still requires of the value. */
  readonly need: string | undefined;
  readonly warning: string | undefined;
  /** The key of the certificates that the value has; undefined for another value. */
  readonly privateKey: Value | undefined;
  readonly isRemovable: boolean;
  readonly onChange: (id: number, change: RowChange) => void;
  readonly onRemove: (id: number) => void;
  /** Left out where there is nothing to go back to. */
  readonly onUndo: ((id: number, key: string) => void) | undefined;
}

/** One key and its value. A value that is there already stays masked until someone wants to change it. */
export const RowEditor = memo(function RowEditor(props: RowEditorProps) {
  const { row, label, state, problem, privateKey, onChange } = props;
  const id = useId();
  const [isTouched, setTouched] = useState(row.origin !== undefined);
  // An untouched new row is no mistake yet.
  const complains = row.key !== '' || row.value !== '';
  const what = row.key === '' ? 'the new key' : row.key;
  const keyProblem = problem?.of === 'key' && complains ? problem.text : undefined;
  const valueProblem = problem?.of === 'value' ? problem.text : undefined;
  const isValueWrong = valueProblem !== undefined || (props.need !== undefined && row.value !== '');
  return (
    <li
      className={`row-editor is-${state}`}
      data-row={row.id}
      data-key={row.key}
      onBlur={() => setTouched(true)}
    >
      <div className="row-key">
        {label === undefined ? (
          <KeyField {...props} id={id} isWrong={keyProblem !== undefined} />
        ) : (
          <div className="row-name">
            <span className="row-label">{label}</span> <code className="hint">{row.key}</code>
          </div>
        )}
        <FieldMessage id={`${id}-key-message`} className="row-message" problem={keyProblem} />
      </div>
      <div>
        <ValueEditor
          {...{ row, what }}
          label={label ?? `Value of ${what}`}
          isInvalid={isValueWrong}
          describedBy={`${id}-value-message`}
          onChange={(change) => onChange(row.id, change)}
        />
        <FieldMessage
          id={`${id}-value-message`}
          className="row-message"
          problem={valueProblem ?? (isValueWrong ? props.need : undefined)}
          help={props.need}
          warning={isTouched ? props.warning : undefined}
        />
        {privateKey !== undefined && (
          <CertificateNotes text={typeof row.value === 'string' ? row.value : ''} privateKey={privateKey} />
        )}
      </div>
      <RowTools {...props} what={what} />
    </li>
  );
});

const COLORS = { changed: 'blue', renamed: 'purple', added: 'green' } as const;

/** What became of the row, and the way back. */
function RowTools(props: RowEditorProps & { readonly what: string }) {
  const { row, state, what, isRemovable, onRemove, onUndo } = props;
  const isMarked = onUndo !== undefined && state !== 'same';
  return (
    <div className="row-tools">
      {isMarked && (
        <Label isCompact color={COLORS[state]}>
          {state}
        </Label>
      )}
      {isMarked && state !== 'added' && (
        <IconButton
          label={`Undo the change of ${what}`}
          icon={<UndoIcon />}
          onClick={() => onUndo(row.id, row.origin ?? row.key)}
        />
      )}
      {isRemovable && (
        <IconButton label={`Remove ${what}`} icon={<TrashIcon />} onClick={() => onRemove(row.id)} />
      )}
    </div>
  );
}

interface KeyFieldProps extends RowEditorProps {
  readonly id: string;
  readonly isWrong: boolean;
}

function KeyField({ row, number, id, isWrong, onChange }: KeyFieldProps) {
  return (
    <>
      <label id={`${id}-label`} htmlFor={`${id}-key`} className="pf-v6-screen-reader">
        Key
      </label>
      <TextInput
        id={`${id}-key`}
        className="key-input"
        placeholder="Key"
        value={row.key}
        {...(row.fixed ? { readOnlyVariant: 'default' as const } : {})}
        autoComplete="off"
        spellCheck={false}
        autoCapitalize="off"
        validated={isWrong ? 'error' : 'default'}
        aria-labelledby={`${id}-label ${id}-number`}
        aria-describedby={`${id}-key-message`}
        onChange={(_event, key) => onChange(row.id, { key })}
      />
      <span id={`${id}-number`} hidden>
        {number}
      </span>
    </>
  );
}
