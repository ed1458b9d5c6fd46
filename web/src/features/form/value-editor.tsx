import { Button, TextArea } from '@patternfly/react-core';
import type { ClipboardEvent } from 'react';
import { Mask } from '../../ui/masked.tsx';
import type { Row } from '../../editing/draft.ts';
import { isLarge } from '../../values/large-text.ts';
import { fromEditor, toEditor, type LineEndings } from '../../values/line-endings.ts';
import { Generator } from './generator.tsx';
import { LargeValue } from './large-value.tsx';
import { useValueView } from './use-value-view.ts';

export interface ValueEditorProps {
  readonly row: Row;
  /** What is read out for the row: its key, never its value. */
  readonly what: string;
  readonly isInvalid: boolean;
  readonly describedBy: string;
  readonly onChange: (value: string) => void;
}

/** A value behind its mask, in a text field, or, when it is too large for that, as a card. */
export function ValueEditor({ row, what, isInvalid, describedBy, onChange }: ValueEditorProps) {
  const { place, shown, asText, endings, show, edit } = useValueView(row);
  const replace = (value: string) => {
    edit(!isLarge(value), value);
    onChange(value);
  };
  return (
    <div className="row-value" ref={place}>
      {!asText && (
        <LargeValue
          {...{ value: row.value, what, shown }}
          onShow={show}
          onEdit={() => edit(true, row.value)}
          onReplace={replace}
        />
      )}
      {asText && !shown && (
        <>
          <Mask />
          <Button variant="link" aria-label={`Show and edit the value of ${what}`} onClick={() => show(true)}>
            Show and edit
          </Button>
        </>
      )}
      {asText && shown && (
        <ValueField
          {...{ row, what, isInvalid, describedBy, endings, onChange }}
          onLargePaste={replace}
          onHide={() => show(false)}
        />
      )}
      {asText && <Generator what={what} onGenerate={onChange} />}
    </div>
  );
}

interface ValueFieldProps extends ValueEditorProps {
  readonly endings: LineEndings;
  readonly onLargePaste: (value: string) => void;
  readonly onHide: () => void;
}

function ValueField(props: ValueFieldProps) {
  const { row, what, isInvalid, describedBy, endings, onChange, onLargePaste, onHide } = props;
  const text = toEditor(row.value);
  const paste = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    const pasted = event.clipboardData.getData('text/plain');
    if (!isLarge(pasted)) return;
    // Kept from the field, which would take seconds, and lose its line endings.
    event.preventDefault();
    const { selectionStart, selectionEnd } = event.currentTarget;
    const [before, after] = [text.slice(0, selectionStart), text.slice(selectionEnd)];
    onLargePaste(fromEditor(before, endings) + pasted + fromEditor(after, endings));
  };
  return (
    <>
      <TextArea
        className="value-input"
        aria-label={`Value of ${what}`}
        value={text}
        rows={Math.min(12, text.split('\n').length + 1)}
        resizeOrientation="vertical"
        autoComplete="off"
        spellCheck={false}
        autoCapitalize="off"
        validated={isInvalid ? 'error' : 'default'}
        aria-describedby={describedBy}
        onPaste={paste}
        onChange={(_event, edited) => onChange(fromEditor(edited, endings))}
      />
      {endings === 'mixed' && (
        <p className="hint">
          The line endings of this value are mixed. Once you edit it, they all become line feeds.
        </p>
      )}
      {(row.stored || row.value !== '') && (
        <Button variant="link" isInline aria-label={`Hide the value of ${what}`} onClick={onHide}>
          Hide
        </Button>
      )}
    </>
  );
}
