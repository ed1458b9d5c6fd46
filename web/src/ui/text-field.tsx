import {
  FormGroup,
  HelperText,
  HelperTextItem,
  TextArea,
  TextInput,
  type TextInputProps,
} from '@patternfly/react-core';

interface Messages {
  /** What is wrong with a field. */
  readonly problem?: string | undefined;
  /** What may be wrong with it. */
  readonly warning?: string | undefined;
  /** Said otherwise. */
  readonly help?: string | undefined;
}

export interface TextFieldProps
  extends
    Messages,
    Pick<TextInputProps, 'type' | 'placeholder' | 'onKeyDown' | 'spellCheck' | 'autoCapitalize'> {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly isRequired?: boolean;
  readonly className?: string;
  /** With line breaks. */
  readonly isMultiline?: boolean;
  readonly onChange: (text: string) => void;
}

/** For names of objects of the cluster. */
export const NAME_INPUT = { spellCheck: false, autoCapitalize: 'off' } as const;

/** A text, mostly of one line, and what there is to say about it. */
export function TextField(props: TextFieldProps) {
  const { id, label, problem, warning, help, isRequired = false, className = '', ...rest } = props;
  const { isMultiline = false, onKeyDown, onChange, ...input } = rest;
  const field = {
    ...{ ...input, id, autoComplete: 'off', validated: severityOf(props) },
    ...{ 'aria-invalid': problem !== undefined, 'aria-describedby': `${id}-help` },
    onChange: (_event: unknown, text: string) => onChange(text),
  };
  return (
    <FormGroup label={label} fieldId={id} isRequired={isRequired} className={className}>
      {isMultiline ? (
        <TextArea {...field} resizeOrientation="vertical" />
      ) : (
        <TextInput {...field} onKeyDown={onKeyDown} />
      )}
      <FieldMessage {...{ id: `${id}-help`, problem, warning, help }} />
    </FormGroup>
  );
}

const severityOf = ({ problem, warning }: Messages): 'error' | 'warning' | 'default' =>
  problem !== undefined ? 'error' : warning !== undefined ? 'warning' : 'default';

interface FieldMessageProps extends Messages {
  /** Of what describes a field, and is announced when it changes. */
  readonly id?: string;
  readonly className?: string;
}

/** The most severe message about a field. */
export function FieldMessage({ id, className = '', ...messages }: FieldMessageProps) {
  const text = messages.problem ?? messages.warning ?? messages.help;
  return (
    <HelperText className={className} {...(id === undefined ? {} : { id, 'aria-live': 'polite' })}>
      {text !== undefined && <HelperTextItem variant={severityOf(messages)}>{text}</HelperTextItem>}
    </HelperText>
  );
}
