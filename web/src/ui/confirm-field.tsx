import { FormGroup, TextInput } from '@patternfly/react-core';

export interface ConfirmFieldProps {
  readonly id: string;
  /** Names the text to type. */
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Enter was pressed. */
  readonly onEnter: () => void;
}

/** A text to type before something is deleted. */
export function ConfirmField({ id, label, value, onChange, onEnter }: ConfirmFieldProps) {
  return (
    <FormGroup label={label} fieldId={id}>
      <TextInput
        id={id}
        value={value}
        autoComplete="off"
        onChange={(_event, text) => onChange(text)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onEnter();
        }}
      />
    </FormGroup>
  );
}
