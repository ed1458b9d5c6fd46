import { isServiceAccountToken, typeRuleViolation } from '../rules/contract.ts';
import { DOCKER_KEY } from '../values/registries.ts';
import type { Row } from './draft.ts';

/** The keys that the rules of a built-in type speak of; the rules themselves are the service's. */
const KEYS: ReadonlyMap<string, readonly string[]> = new Map([
  ['basic-auth', ['username', 'password']],
  ['ssh-auth', ['ssh-privatekey']],
  ['tls', ['tls.crt', 'tls.key']],
  ['dockerconfigjson', [DOCKER_KEY]],
  ['dockercfg', ['.dockercfg']],
]);

const PREFIX = /^(?:kubernetes|platform)\.io\//;

/** Whether a type is the built-in one of this name, in either spelling of the prefix. */
export function isBuiltIn(type: string, name: string): boolean {
  return PREFIX.test(type) && type.replace(PREFIX, '') === name;
}

export function keysOfType(type: string): readonly string[] {
  return PREFIX.test(type) ? (KEYS.get(type.replace(PREFIX, '')) ?? []) : [];
}

/** Whether any type speaks of this key. */
export function isTypeKey(key: string): boolean {
  return [...KEYS.values()].some((keys) => keys.includes(key));
}

/** What a type still asks for. */
export interface TypeNeed {
  /** The key whose value is at fault; undefined when a key is missing, or nothing can help. */
  readonly key: string | undefined;
  readonly text: string;
}

const encoder = new TextEncoder();

/** What stands between these rows and their type, or undefined. */
export function typeNeed(type: string, rows: readonly Row[]): TypeNeed | undefined {
  if (isServiceAccountToken(type)) {
    return {
      key: undefined,
      text: 'Service account tokens are managed by the cluster and cannot be written.',
    };
  }
  const keys = keysOfType(type);
  const ruled = rows.filter(({ key }) => keys.includes(key));
  const data = new Map(ruled.map(({ key, value }) => [key, encoder.encode(value)]));
  const violation = typeRuleViolation(type, data);
  if (violation === undefined) return undefined;
  return { key: keys.every((key) => data.has(key)) ? keys[0] : undefined, text: `This type ${violation}.` };
}

const ANY_VALUE = encoder.encode('{}');

/** The keys that cannot go: without one of them the type's rule does not hold, whatever the others hold. */
export function indispensableKeys(type: string, rows: readonly Row[]): readonly string[] {
  const keys = keysOfType(type);
  const present = keys.filter((key) => rows.some((row) => row.key === key));
  return present.filter((key) => {
    const others = present.filter((other) => other !== key);
    return typeRuleViolation(type, new Map(others.map((other) => [other, ANY_VALUE]))) !== undefined;
  });
}

/** What a type allows and nobody can use. */
export function typeWarning(type: string, { key, value }: Row): string | undefined {
  const useless = value === '' && isBuiltIn(type, 'tls') && keysOfType(type).includes(key);
  return useless ? 'Still empty: the cluster accepts that, but nothing can use it.' : undefined;
}
