import { Button, FormGroup } from '@patternfly/react-core';
import { useLayoutEffect, useRef, useState } from 'react';
import { nextRowId } from '../../editing/draft.ts';
import { useFocusNext } from '../../ui/use-focus-next.ts';
import { toEditor } from '../../values/lines.ts';
import { dockerConfig, editableRegistries, OVERRIDING, type Registry } from '../../values/registries.ts';
import { LineField } from './line-field.tsx';
import { FieldMessage, NAME_INPUT, TextField } from '../../ui/text-field.tsx';
import { RevealToggle } from '../../ui/reveal-toggle.tsx';
import { useValueView } from './use-value-view.ts';

/** A registry in the form. */
interface ListedRegistry extends Registry {
  /** Stays with it while others are added and removed, so that none is shown for having taken the place of another. */
  readonly id: number;
  /** Came from the Secret, and its password is masked until someone wants to see it. */
  readonly isStored: boolean;
}

const BLANK_REGISTRY: ListedRegistry = { id: 0, server: '', username: '', password: '', isStored: false };

const isBlank = ({ server, username, password }: Registry) => server + username + password === '';

/** Why a registry cannot be stored beside the others, or undefined. */
function registryProblem(registry: Registry, index: number, all: readonly Registry[]): string | undefined {
  if (isBlank(registry)) return undefined;
  if (registry.server === '') return 'The address of the registry is missing.';
  const first = all.findIndex(({ server }) => server === registry.server);
  return first === index ? undefined : 'There is another registry with this address.';
}

/** The value for a list; empty, so that it cannot be saved, while something in the list is wrong or all is blank. */
function configOf(key: string, all: readonly Registry[]): string {
  const filled = all.filter((registry) => !isBlank(registry));
  const isSound = all.every((registry, index) => registryProblem(registry, index, all) === undefined);
  return isSound && filled.length > 0 ? dockerConfig(key, filled) : '';
}

/**
 * The registries that a value holds, as a list to edit. The value decides: the list that was typed counts only
 * while the value is the one that it makes. Undefined when the value holds more than such a list.
 */
export function useRegistryList(key: string, config: string, onConfig: (config: string) => void) {
  const [typed, setTyped] = useState({ config: '', list: [BLANK_REGISTRY] as readonly ListedRegistry[] });
  const stored =
    config === ''
      ? []
      : editableRegistries(key, config)?.map((registry, id) => ({ ...registry, id, isStored: true }));
  const list = typed.config === config ? typed.list : stored?.length === 0 ? [BLANK_REGISTRY] : stored;
  const change = (next: readonly ListedRegistry[]) => {
    const made = configOf(key, next);
    setTyped({ config: made, list: next });
    onConfig(made);
  };
  return { list, change };
}

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
  useLayoutEffect(() => {
    // The button that has read them is no longer there.
    if (document.activeElement === document.body) form.current?.querySelector('input')?.focus();
  }, []);
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
        <fieldset key={registry.id} className={several ? 'registry several' : 'registry'}>
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
          onClick={() => {
            const added = { ...BLANK_REGISTRY, id: nextRowId(registries) };
            change([...registries, added], registries.length);
          }}
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

const SEVERAL_LINES = 'Not pasted: a password of a registry is one line.';

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
  const [isRefused, setRefused] = useState(false);
  const type = (value: string) => {
    setRefused(false);
    if (!shown) edit(true, value);
    onChange(value);
  };
  const pasteLines = (value: string) => {
    const line = toEditor(value).replace(/\n$/, '');
    if (line.includes('\n')) setRefused(true);
    else type(line);
  };
  const message = { id: `${id}-help`, ...(isRefused ? { problem: SEVERAL_LINES } : {}) };
  return (
    <FormGroup label="Password or token" fieldId={id}>
      <div ref={place} className="row-value">
        <LineField
          {...{ id, shown, value: password, isInvalid: isRefused, describedBy: message.id }}
          onType={type}
          onPasteLines={pasteLines}
        />
        {(isStored || password !== '') && (
          <RevealToggle shown={shown} of={what} reveal="Show and edit" onShow={show} />
        )}
      </div>
      <FieldMessage {...message} />
    </FormGroup>
  );
}
