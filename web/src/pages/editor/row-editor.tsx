import {
  Button,
  FormHelperText,
  HelperText,
  HelperTextItem,
  TextArea,
  TextInput,
} from '@patternfly/react-core';
import TrashIcon from '@patternfly/react-icons/dist/esm/icons/trash-icon';
import { useId, useState } from 'react';
import { Mask } from '../../components/masked.tsx';
import { rowProblem, type Row } from '../../editing/draft.ts';
import { fromEditor, lineEndings, toEditor } from '../../values/line-endings.ts';

export interface RowEditorProps {
  readonly row: Row;
  readonly rows: readonly Row[];
  readonly onChange: (change: Partial<Pick<Row, 'key' | 'value'>>) => void;
  readonly onRemove: () => void;
}

/** One key and its value. A stored value stays masked until somebody wants to change it. */
export function RowEditor({ row, rows, onChange, onRemove }: RowEditorProps) {
  const id = useId();
  const problem = rowProblem(row, rows);
  // An untouched new row is no mistake yet.
  const complaint = row.key === '' && row.value === '' ? undefined : problem;
  const what = row.key === '' ? 'the new key' : row.key;
  return (
    <li className="row-editor">
      <div className="row-key">
        <label htmlFor={`${id}-key`}>Key</label>
        <TextInput
          id={`${id}-key`}
          className="key-input"
          value={row.key}
          {...(row.fixed ? { readOnlyVariant: 'default' as const } : {})}
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="off"
          validated={complaint === undefined ? 'default' : 'error'}
          aria-describedby={`${id}-problem`}
          onChange={(_event, key) => onChange({ key })}
        />
        <Button
          variant="plain"
          aria-label={`Remove ${what}`}
          title={`Remove ${what}`}
          icon={<TrashIcon />}
          onClick={onRemove}
        />
      </div>
      <ValueEditor id={`${id}-value`} row={row} what={what} onChange={(value) => onChange({ value })} />
      <div id={`${id}-problem`} aria-live="polite">
        {complaint !== undefined && (
          <FormHelperText>
            <HelperText>
              <HelperTextItem variant="error">{complaint}</HelperTextItem>
            </HelperText>
          </FormHelperText>
        )}
      </div>
    </li>
  );
}

interface ValueEditorProps {
  readonly id: string;
  readonly row: Row;
  readonly what: string;
  readonly onChange: (value: string) => void;
}

function ValueEditor({ id, row, what, onChange }: ValueEditorProps) {
  const [shown, setShown] = useState(!row.stored);
  // Remembered from before the first keystroke, since a text field turns every line ending into a line feed.
  const [endings] = useState(() => lineEndings(row.value));
  if (!shown) {
    return (
      <div className="row-value">
        <Mask />
        <Button
          variant="link"
          aria-label={`Show and edit the value of ${what}`}
          onClick={() => setShown(true)}
        >
          Show and edit
        </Button>
      </div>
    );
  }
  const text = toEditor(row.value);
  return (
    <div className="row-value">
      <TextArea
        id={id}
        className="value-input"
        aria-label={`Value of ${what}`}
        value={text}
        rows={Math.min(12, text.split('\n').length + 1)}
        resizeOrientation="vertical"
        autoComplete="off"
        spellCheck={false}
        autoCapitalize="off"
        onChange={(_event, edited) => onChange(fromEditor(edited, endings))}
      />
      {endings === 'mixed' && (
        <p className="hint">
          The line endings of this value are mixed. Once you edit it, they all become line feeds.
        </p>
      )}
      {row.stored && (
        <Button
          variant="link"
          isInline
          aria-label={`Hide the value of ${what}`}
          onClick={() => setShown(false)}
        >
          Hide
        </Button>
      )}
    </div>
  );
}
