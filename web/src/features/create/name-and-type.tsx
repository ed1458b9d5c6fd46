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
import { CREATE_WORDS } from '../../words/edit.ts';
import { NAME_AND_TYPE_WORDS } from '../../words/create.ts';

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
      <FormGroup label={NAME_AND_TYPE_WORDS.type} fieldId="type">
        <FormSelect
          id="type"
          value={known === undefined ? CUSTOM : type}
          onChange={(_event, value) => choose(value)}
        >
          {SECRET_KINDS.map((kind) => (
            <FormSelectOption key={kind.type} value={kind.type} label={kind.label} />
          ))}
          <FormSelectOption value={CUSTOM} label={NAME_AND_TYPE_WORDS.anotherType} />
        </FormSelect>
        <HelperText>
          <HelperTextItem>{known?.about ?? NAME_AND_TYPE_WORDS.ownTypeHint}</HelperTextItem>
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
  const about = isTaken ? CREATE_WORDS.taken : CREATE_WORDS.nameHint;
  return (
    <FormGroup label={CREATE_WORDS.name} fieldId="name" isRequired>
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
          {violation === undefined ? about : CREATE_WORDS.invalid(violation)}
        </HelperTextItem>
      </HelperText>
    </FormGroup>
  );
}

function OwnType({ type, onType }: Pick<NameAndTypeProps, 'type' | 'onType'>) {
  return (
    <FormGroup label={NAME_AND_TYPE_WORDS.ownType} fieldId="custom-type">
      <TextInput
        id="custom-type"
        value={type}
        placeholder={NAME_AND_TYPE_WORDS.ownTypeExample}
        autoComplete="off"
        spellCheck={false}
        onChange={(_event, value) => onType(value)}
      />
    </FormGroup>
  );
}

const CUSTOM = '*';
