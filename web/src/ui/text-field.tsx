import {
  FormGroup,
  HelperText,
  HelperTextItem,
  TextInput,
  type TextInputProps,
} from '@patternfly/react-core';

export interface TextFieldProps extends Pick<
  TextInputProps,
  'type' | 'placeholder' | 'onKeyDown' | 'spellCheck' | 'autoCapitalize'
> {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  /** What is wrong with it. */
  readonly problem?: string | undefined;
  /** What may be wrong with it. */
  readonly warning?: string | undefined;
  /** Said otherwise. */
  readonly help?: string | undefined;
  readonly isRequired?: boolean;
  readonly className?: string;
  readonly onChange: (text: string) => void;
}

/** For names of objects of the cluster. */
export const NAME_INPUT = { spellCheck: false, autoCapitalize: 'off' } as const;

/** One line of text, and what there is to say about it. */
export function TextField(props: TextFieldProps) {
  const { id, label, problem, warning, help, isRequired = false, className = '', onChange, ...input } = props;
  const variant = problem !== undefined ? 'error' : warning !== undefined ? 'warning' : 'default';
  const said = problem ?? warning ?? help;
  return (
    <FormGroup label={label} fieldId={id} isRequired={isRequired} className={className}>
      <TextInput
        {...input}
        id={id}
        autoComplete="off"
        validated={variant}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-help`}
        onChange={(_event, text) => onChange(text)}
      />
      <HelperText id={`${id}-help`} aria-live="polite">
        {said !== undefined && <HelperTextItem variant={variant}>{said}</HelperTextItem>}
      </HelperText>
    </FormGroup>
  );
}
