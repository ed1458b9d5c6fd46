import { FormGroup } from '@patternfly/react-core';
import { useState } from 'react';
import { SECRET_KINDS } from '../../editing/secret-types.ts';
import { newNameViolation } from '../../../../src/contract/names.ts';
import { Select } from '../../ui/select.tsx';
import { FieldMessage, NAME_INPUT, TextField } from '../../ui/text-field.tsx';

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
  const violation = name === '' ? undefined : newNameViolation(name);
  const choose = (value: string) => {
    setOwn(value === CUSTOM);
    onType(value === CUSTOM ? '' : value);
  };
  return (
    <>
      <TextField
        {...NAME_INPUT}
        id="name"
        label="Name"
        isRequired
        value={name}
        problem={violation && `The name ${violation}.`}
        // Not an error: it may be gone by the time that this one is created.
        warning={isTaken ? 'A Secret with this name exists already.' : undefined}
        help={'Lowercase letters, digits, "-" and "."; you can\'t change it later.'}
        onChange={onName}
      />
      <FormGroup label="Type" fieldId="type">
        <Select
          id="type"
          value={known === undefined ? CUSTOM : type}
          options={[
            ...SECRET_KINDS.map((kind) => [kind.type, kind.label] as const),
            [CUSTOM, 'Another type'],
          ]}
          onChange={choose}
        />
        <FieldMessage help={known?.about ?? 'Any type of your own; an empty one becomes Opaque.'} />
      </FormGroup>
      {known === undefined && (
        <TextField
          {...NAME_INPUT}
          id="custom-type"
          label="Type of your own"
          value={type}
          placeholder="example.com/my-type"
          onChange={onType}
        />
      )}
    </>
  );
}

const CUSTOM = '*';
