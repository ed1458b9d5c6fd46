import { useState } from 'react';
import { dockerConfig, editableRegistries, type Registry } from '../../values/registries.ts';

/** A registry in the form. */
export interface ListedRegistry extends Registry {
  /** Came from the Secret, and its password is masked until someone wants to see it. */
  readonly isStored: boolean;
}

export const BLANK_REGISTRY: ListedRegistry = { server: '', username: '', password: '', isStored: false };

const isBlank = ({ server, username, password }: Registry) => server + username + password === '';

/** Why a registry cannot be stored beside the others, or undefined. */
export function registryProblem(
  registry: Registry,
  index: number,
  all: readonly Registry[],
): string | undefined {
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
      : editableRegistries(key, config)?.map((registry) => ({ ...registry, isStored: true }));
  const list = typed.config === config ? typed.list : stored?.length === 0 ? [BLANK_REGISTRY] : stored;
  const change = (next: readonly ListedRegistry[]) => {
    const made = configOf(key, next);
    setTyped({ config: made, list: next });
    onConfig(made);
  };
  return { list, change };
}
