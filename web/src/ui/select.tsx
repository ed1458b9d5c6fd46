import { FormSelect, FormSelectOption } from '@patternfly/react-core';

export interface SelectProps<Value extends string> {
  /** Read out; left out where a label of the form refers to the id. */
  readonly label?: string;
  readonly id?: string;
  readonly className?: string;
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, text: string])[];
  readonly onChange: (value: Value) => void;
}

/** The options of a table that calls each value something. */
export function optionsOf<Value extends string>(texts: Readonly<Record<Value, string>>) {
  return Object.entries(texts) as [Value, string][];
}

/** One of a few. */
export function Select<Value extends string>({ label, options, onChange, ...rest }: SelectProps<Value>) {
  return (
    <FormSelect
      {...rest}
      {...(label === undefined ? {} : { 'aria-label': label })}
      onChange={(_event, chosen) => {
        const option = options.find(([value]) => value === chosen);
        if (option !== undefined) onChange(option[0]);
      }}
    >
      {options.map(([value, text]) => (
        <FormSelectOption key={value} value={value} label={text} />
      ))}
    </FormSelect>
  );
}
