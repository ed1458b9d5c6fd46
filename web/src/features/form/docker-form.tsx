import { Button, FormGroup } from '@patternfly/react-core';
import { useRef } from 'react';
import { useFocusNext } from '../../ui/use-focus-next.ts';
import { OVERRIDING } from '../../values/registries.ts';
import { LineField } from './line-field.tsx';
import { BLANK_REGISTRY, registryProblem, type ListedRegistry } from './registry-list.ts';
import { FieldMessage, NAME_INPUT, TextField } from '../../ui/text-field.tsx';
import { RevealToggle } from '../../ui/reveal-toggle.tsx';
import { useValueView } from './use-value-view.ts';

const FIELDS = [
  { name: 'server', label: 'Registry' },
  { name: 'username', label: 'User name' },
] as const;

export interface DockerFormProps {
  readonly registries: readonly ListedRegistry[];
  readonly onChange: (registries: readonly ListedRegistry[]) => void;
}

/** Credentials of registries, instead of the JSON that holds them. */
export function DockerForm({ registries, onChange }: DockerFormProps) {
  const several = registries.length > 1;
  const form = useRef<HTMLDivElement>(null);
  const focusNext = useFocusNext();
  /** The focus goes to a registry that is added, and to the one that takes the place of another. */
  const change = (next: readonly ListedRegistry[], focused: number) => {
    focusNext(() => {
      const fields = form.current?.querySelectorAll<HTMLElement>('fieldset input[id$="-server"]');
      return fields?.[Math.min(focused, fields.length - 1)];
    });
    onChange(next);
  };
  return (
    <div className="registry-list" ref={form}>
      {registries.map((registry, index) => (
        <fieldset key={index} className={several ? 'registry several' : 'registry'}>
          {several && (
            <legend>
              Registry {index + 1}{' '}
              <Button
                variant="link"
                isInline
                aria-label={`Remove registry ${index + 1}`}
                onClick={() => change(registries.toSpliced(index, 1), index)}
              >
                Remove
              </Button>
            </legend>
          )}
          <RegistryFields
            index={index}
            registry={registry}
            problem={registryProblem(registry, index, registries)}
            onChange={(change) => onChange(registries.with(index, { ...registry, ...change }))}
          />
        </fieldset>
      ))}
      <div className="row-actions">
        <Button
          variant="secondary"
          onClick={() => change([...registries, BLANK_REGISTRY], registries.length)}
        >
          Add another registry
        </Button>
      </div>
    </div>
  );
}

interface RegistryFieldsProps {
  readonly index: number;
  readonly registry: ListedRegistry;
  readonly problem: string | undefined;
  readonly onChange: (change: Partial<ListedRegistry>) => void;
}

function RegistryFields({ index, registry, problem, onChange }: RegistryFieldsProps) {
  return (
    <>
      {FIELDS.map(({ name, label }) => (
        <TextField
          {...NAME_INPUT}
          key={name}
          id={`docker-${index}-${name}`}
          label={label}
          isRequired={name === 'server'}
          value={registry[name]}
          problem={name === 'server' ? problem : undefined}
          onChange={(value) => onChange({ [name]: value })}
        />
      ))}
      <PasswordField
        id={`docker-${index}-password`}
        registry={registry}
        onChange={(password) => onChange({ password })}
      />
      {registry.isOverriding === true && <FieldMessage warning={`${OVERRIDING} They are shown here.`} />}
    </>
  );
}

interface PasswordFieldProps {
  readonly id: string;
  readonly registry: ListedRegistry;
  readonly onChange: (password: string) => void;
}

/** A stored password stays out of the page until someone wants to see it, as every stored value does. */
function PasswordField({ id, registry, onChange }: PasswordFieldProps) {
  const { server, password, isStored } = registry;
  const { place, shown, show, edit } = useValueView({ value: password, stored: isStored });
  const what = `the password of ${server === '' ? 'the new registry' : server}`;
  const replace = (value: string) => {
    edit(true, value);
    onChange(value);
  };
  return (
    <FormGroup label="Password or token" fieldId={id}>
      <div ref={place} className="row-value">
        <LineField id={id} value={password} shown={shown} onType={shown ? onChange : replace} />
        {(isStored || password !== '') && (
          <RevealToggle shown={shown} of={what} reveal="Show and edit" onShow={show} />
        )}
      </div>
    </FormGroup>
  );
}
