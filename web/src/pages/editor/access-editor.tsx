import {
  Button,
  FormGroup,
  HelperText,
  HelperTextItem,
  Label,
  LabelGroup,
  TextInput,
} from '@patternfly/react-core';
import { useState } from 'react';
import { entryProblem } from '../../editing/access-entry.ts';

export interface AccessEditorProps {
  readonly id: string;
  readonly label: string;
  readonly placeholder: string;
  readonly entries: readonly string[];
  readonly onChange: (entries: readonly string[]) => void;
}

/** What is being typed, and whether it counts already. */
interface Typing {
  readonly text: string;
  readonly counts: boolean;
}

const NOTHING: Typing = { text: '', counts: false };

/**
 * A list of groups or users, as chips. An entry that is being typed counts as soon as it may be one: whoever types a
 * name and saves means it, added or not.
 */
export function AccessEditor({ id, label, placeholder, entries, onChange }: AccessEditorProps) {
  const [typing, setTyping] = useState(NOTHING);
  const chips = typing.counts ? entries.slice(0, -1) : entries;
  const problem = typing.text === '' ? undefined : entryProblem(typing.text, chips);
  const type = (text: string) => {
    const counts = text !== '' && entryProblem(text, chips) === undefined;
    onChange(counts ? [...chips, text.trim()] : chips);
    setTyping({ text, counts });
  };
  const add = () => {
    if (typing.counts) setTyping(NOTHING);
  };
  const remove = (index: number) => onChange(entries.filter((_one, other) => other !== index));
  return (
    <FormGroup label={label} fieldId={id}>
      <div className="chip-entry">
        <TextInput
          id={id}
          value={typing.text}
          placeholder={placeholder}
          autoComplete="off"
          validated={problem === undefined ? 'default' : 'error'}
          aria-describedby={`${id}-problem`}
          onChange={(_event, value) => type(value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            add();
          }}
        />
        <Button variant="secondary" onClick={add} aria-label={`Add to ${label.toLowerCase()}`}>
          Add
        </Button>
      </div>
      <div id={`${id}-problem`} aria-live="polite">
        {problem !== undefined && (
          <HelperText>
            <HelperTextItem variant="error">{problem}</HelperTextItem>
          </HelperText>
        )}
      </div>
      {chips.length > 0 && (
        <LabelGroup numLabels={50} aria-label={label}>
          {chips.map((entry, index) => (
            <Label
              key={`${index} ${entry}`}
              closeBtnAriaLabel={`Remove ${entry}`}
              onClose={() => remove(index)}
            >
              {entry}
            </Label>
          ))}
        </LabelGroup>
      )}
    </FormGroup>
  );
}
