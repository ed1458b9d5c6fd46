import { Button, FormHelperText, HelperText, HelperTextItem, TextInput } from '@patternfly/react-core';
import TrashIcon from '@patternfly/react-icons/dist/esm/icons/trash-icon';
import { memo, useId } from 'react';
import type { Row, RowChange } from '../../editing/draft.ts';
import { ValueEditor } from './value-editor.tsx';

/** All of them stay the same while something else is typed, since there may be thousands of rows. */
export interface RowEditorProps {
  readonly row: Row;
  /** Its place in the list, from 1, which distinguishes the key fields. */
  readonly number: number;
  readonly keyProblem: string | undefined;
  readonly valueProblem: string | undefined;
  /** What the type still requires of the value. */
  readonly need: string | undefined;
  readonly warning: string | undefined;
  readonly isRemovable: boolean;
  readonly onChange: (id: number, change: RowChange) => void;
  readonly onRemove: (id: number) => void;
}

/** One key and its value. A value that is there already stays masked until someone wants to change it. */
export const RowEditor = memo(function RowEditor(props: RowEditorProps) {
  const { row, keyProblem, valueProblem, onChange } = props;
  const id = useId();
  // An untouched new row is no mistake yet.
  const complains = row.key !== '' || row.value !== '';
  const what = row.key === '' ? 'the new key' : row.key;
  const isValueWrong = valueProblem !== undefined || (props.need !== undefined && row.value !== '');
  return (
    <li className="row-editor" data-row={row.id}>
      <KeyField {...props} id={id} what={what} isWrong={complains && keyProblem !== undefined} />
      <ValueEditor
        {...{ row, what }}
        isInvalid={isValueWrong}
        describedBy={`${id}-value-message`}
        onChange={(value) => onChange(row.id, { value })}
      />
      <FieldMessage id={`${id}-key-message`} error={complains ? keyProblem : undefined} />
      <FieldMessage
        id={`${id}-value-message`}
        error={valueProblem ?? (isValueWrong ? props.need : undefined)}
        hint={props.need}
        warning={props.warning}
      />
    </li>
  );
});

interface KeyFieldProps extends RowEditorProps {
  readonly id: string;
  readonly what: string;
  readonly isWrong: boolean;
}

function KeyField({ row, number, id, what, isWrong, isRemovable, onChange, onRemove }: KeyFieldProps) {
  return (
    <div className="row-key">
      <label id={`${id}-label`} htmlFor={`${id}-key`}>
        Key
      </label>
      <TextInput
        id={`${id}-key`}
        className="key-input"
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
      {isRemovable && (
        <Button
          variant="plain"
          aria-label={`Remove ${what}`}
          title={`Remove ${what}`}
          icon={<TrashIcon />}
          onClick={() => onRemove(row.id)}
        />
      )}
      <span id={`${id}-number`} hidden>
        {number}
      </span>
    </div>
  );
}

interface FieldMessageProps {
  readonly id: string;
  readonly error: string | undefined;
  readonly warning?: string | undefined;
  readonly hint?: string | undefined;
}

/** The most severe message about a key or a value. */
function FieldMessage({ id, error, warning, hint }: FieldMessageProps) {
  const text = error ?? warning ?? hint;
  const variant = error !== undefined ? 'error' : warning !== undefined ? 'warning' : 'default';
  return (
    <div id={id} aria-live="polite">
      {text !== undefined && (
        <FormHelperText>
          <HelperText>
            <HelperTextItem variant={variant}>{text}</HelperTextItem>
          </HelperText>
        </FormHelperText>
      )}
    </div>
  );
}
