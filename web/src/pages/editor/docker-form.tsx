import { FormGroup, TextInput } from '@patternfly/react-core';
import { useState } from 'react';
import { dockerConfig, type Registry } from '../../values/registries.ts';

const FIELDS = [
  { name: 'server', label: 'Registry', type: 'text' },
  { name: 'username', label: 'User name', type: 'text' },
  { name: 'password', label: 'Password or token', type: 'password' },
] as const;

/** Credentials of one registry, instead of the JSON that holds them. */
export function DockerForm({ onChange }: { readonly onChange: (config: string) => void }) {
  const [registry, setRegistry] = useState<Registry>({ server: '', username: '', password: '' });
  const set = (change: Partial<Registry>) => {
    const next = { ...registry, ...change };
    setRegistry(next);
    onChange(next.server === '' ? '' : dockerConfig(next));
  };
  return (
    <>
      {FIELDS.map(({ name, label, type }) => (
        <FormGroup key={name} label={label} fieldId={`docker-${name}`} isRequired={name === 'server'}>
          <TextInput
            id={`docker-${name}`}
            type={type}
            value={registry[name]}
            autoComplete={type === 'password' ? 'new-password' : 'off'}
            spellCheck={false}
            onChange={(_event, value) => set({ [name]: value })}
          />
        </FormGroup>
      ))}
    </>
  );
}
