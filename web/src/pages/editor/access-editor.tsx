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

/** A list of groups or users, as chips. */
export function AccessEditor({ id, label, placeholder, entries, onChange }: AccessEditorProps) {
  const [typed, setTyped] = useState('');
  const problem = typed === '' ? undefined : entryProblem(typed, entries);
  const add = () => {
    if (typed === '' || problem !== undefined) return;
    onChange([...entries, typed.trim()]);
    setTyped('');
  };
  return (
    <FormGroup label={label} fieldId={id}>
      <div className="chip-entry">
        <TextInput
          id={id}
          value={typed}
          placeholder={placeholder}
          autoComplete="off"
          validated={problem === undefined ? 'default' : 'error'}
          aria-describedby={`${id}-problem`}
          onChange={(_event, value) => setTyped(value)}
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
      {entries.length > 0 && (
        <LabelGroup numLabels={50} aria-label={label}>
          {entries.map((entry, index) => (
            <Label
              key={`${index} ${entry}`}
              closeBtnAriaLabel={`Remove ${entry}`}
              onClose={() => onChange(entries.filter((_one, other) => other !== index))}
            >
              {entry}
            </Label>
          ))}
        </LabelGroup>
      )}
    </FormGroup>
  );
}
