import { FormSelect, FormSelectOption } from '@patternfly/react-core';

export interface SelectProps<Value extends string> {
  /** Read out; left out where a label of the form refers to the id. */
  readonly label?: string;
  readonly id?: string;
  readonly className?: string;
  readonly value: Value;
  /** Shown while nothing is chosen, and the value is empty. */
  readonly placeholder?: string;
  readonly options: readonly (readonly [value: Value, text: string])[];
  readonly onChange: (value: Value) => void;
}

/** The options of a table that calls each value something. */
export function optionsOf<Value extends string>(texts: Readonly<Record<Value, string>>) {
  return Object.entries(texts) as [Value, string][];
}

/** One of a few. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, placeholder, options, onChange, ...rest } = props;
  return (
    <FormSelect
      {...rest}
      {...(label === undefined ? {} : { 'aria-label': label })}
      onChange={(_event, chosen) => {
        const option = options.find(([value]) => value === chosen);
        if (option !== undefined) onChange(option[0]);
      }}
    >
      {placeholder !== undefined && rest.value === '' && (
        <FormSelectOption value="" label={placeholder} isPlaceholder isDisabled />
      )}
      {options.map(([value, text]) => (
        <FormSelectOption key={value} value={value} label={text} />
      ))}
    </FormSelect>
  );
}
