import { FormSelect, FormSelectOption } from '@patternfly/react-core';

export interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, label: string])[];
  readonly onChange: (value: Value) => void;
}

/** One of a few, as a filter has them. */
export function Choice<Value extends string>({ label, value, options, onChange }: ChoiceProps<Value>) {
  return (
    <FormSelect
      aria-label={label}
      value={value}
      onChange={(_event, chosen) => {
        const option = options.find(([one]) => one === chosen);
        if (option !== undefined) onChange(option[0]);
      }}
    >
      {options.map(([one, text]) => (
        <FormSelectOption key={one} value={one} label={text} />
      ))}
    </FormSelect>
  );
}
