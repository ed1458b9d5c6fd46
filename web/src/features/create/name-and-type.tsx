import {
  FormGroup,
  FormSelect,
  FormSelectOption,
  HelperText,
  HelperTextItem,
  TextInput,
} from '@patternfly/react-core';
import { useState } from 'react';
import { SECRET_KINDS } from '../../editing/secret-types.ts';
import { newNameViolation } from '../../../../src/contract/names.ts';

export interface NameAndTypeProps {
  readonly name: string;
  readonly type: string;
  /** A Secret of this name is known to exist. */
  readonly isTaken: boolean;
  readonly onName: (name: string) => void;
  readonly onType: (type: string) => void;
}

/** What cannot be changed afterwards. */
export function NameAndType({ name, type, isTaken, onName, onType }: NameAndTypeProps) {
  // What is typed may begin like a known type, and is still being typed.
  const [isOwn, setOwn] = useState(false);
  const known = isOwn ? undefined : SECRET_KINDS.find((kind) => kind.type === type);
  const choose = (value: string) => {
    setOwn(value === CUSTOM);
    onType(value === CUSTOM ? '' : value);
  };
  return (
    <>
      <NameField {...{ name, isTaken, onName }} />
      <FormGroup label="Type" fieldId="type">
        <FormSelect
          id="type"
          value={known === undefined ? CUSTOM : type}
          onChange={(_event, value) => choose(value)}
        >
          {SECRET_KINDS.map((kind) => (
            <FormSelectOption key={kind.type} value={kind.type} label={kind.label} />
          ))}
          <FormSelectOption value={CUSTOM} label="Another type" />
        </FormSelect>
        <HelperText>
          <HelperTextItem>
            {known?.about ?? 'Any type of your own; an empty one becomes Opaque.'}
          </HelperTextItem>
        </HelperText>
      </FormGroup>
      {known === undefined && <OwnType type={type} onType={onType} />}
    </>
  );
}

function NameField({ name, isTaken, onName }: Pick<NameAndTypeProps, 'name' | 'isTaken' | 'onName'>) {
  const violation = name === '' ? undefined : newNameViolation(name);
  // Not an error: it may be gone by the time that this one is created.
  const variant = violation !== undefined ? 'error' : isTaken ? 'warning' : 'default';
  const about = isTaken
    ? 'A Secret with this name exists already.'
    : 'Lowercase letters, digits, "-" and "."; it cannot be changed later.';
  return (
    <FormGroup label="Name" fieldId="name" isRequired>
      <TextInput
        id="name"
        value={name}
        autoComplete="off"
        spellCheck={false}
        autoCapitalize="off"
        validated={variant}
        aria-describedby="name-problem"
        onChange={(_event, value) => onName(value)}
      />
      <HelperText id="name-problem" aria-live="polite">
        <HelperTextItem variant={variant}>
          {violation === undefined ? about : `The name ${violation}.`}
        </HelperTextItem>
      </HelperText>
    </FormGroup>
  );
}

function OwnType({ type, onType }: Pick<NameAndTypeProps, 'type' | 'onType'>) {
  return (
    <FormGroup label="Type of your own" fieldId="custom-type">
      <TextInput
        id="custom-type"
        value={type}
        placeholder="example.com/my-type"
        autoComplete="off"
        spellCheck={false}
        onChange={(_event, value) => onType(value)}
      />
    </FormGroup>
  );
}

const CUSTOM = '*';
