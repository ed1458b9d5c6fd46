import { Button, FormGroup, HelperText, HelperTextItem, TextInput } from '@patternfly/react-core';
import { useLayoutEffect, useRef } from 'react';
import type { Registry } from '../../values/registries.ts';
import { BLANK_REGISTRY, registryProblem } from './registry-list.ts';

const FIELDS = [
  { name: 'server', label: 'Registry', type: 'text' },
  { name: 'username', label: 'User name', type: 'text' },
  { name: 'password', label: 'Password or token', type: 'password' },
] as const;

export interface DockerFormProps {
  readonly registries: readonly Registry[];
  readonly onChange: (registries: readonly Registry[]) => void;
}

/** Credentials of registries, instead of the JSON that holds them. */
export function DockerForm({ registries, onChange }: DockerFormProps) {
  const several = registries.length > 1;
  const { form, change } = useListFocus(onChange);
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

/** The focus goes to a registry that is added, and to the one that takes the place of another. */
function useListFocus(onChange: DockerFormProps['onChange']) {
  const form = useRef<HTMLDivElement>(null);
  const next = useRef<number>(undefined);
  useLayoutEffect(() => {
    if (next.current === undefined) return;
    const fields = form.current?.querySelectorAll<HTMLElement>('fieldset input[id$="-server"]');
    fields?.[Math.min(next.current, fields.length - 1)]?.focus();
    next.current = undefined;
  });
  const change = (registries: readonly Registry[], focused: number) => {
    next.current = focused;
    onChange(registries);
  };
  return { form, change };
}

interface RegistryFieldsProps {
  readonly index: number;
  readonly registry: Registry;
  readonly problem: string | undefined;
  readonly onChange: (change: Partial<Registry>) => void;
}

function RegistryFields({ index, registry, problem, onChange }: RegistryFieldsProps) {
  return FIELDS.map(({ name, label, type }) => {
    const id = `docker-${index}-${name}`;
    const wrong = name === 'server' ? problem : undefined;
    return (
      <FormGroup key={name} label={label} fieldId={id} isRequired={name === 'server'}>
        <TextInput
          id={id}
          type={type}
          value={registry[name]}
          autoComplete={type === 'password' ? 'new-password' : 'off'}
          spellCheck={false}
          validated={wrong === undefined ? 'default' : 'error'}
          aria-describedby={`${id}-message`}
          onChange={(_event, value) => onChange({ [name]: value })}
        />
        <HelperText id={`${id}-message`} aria-live="polite">
          {wrong !== undefined && <HelperTextItem variant="error">{wrong}</HelperTextItem>}
        </HelperText>
      </FormGroup>
    );
  });
}
