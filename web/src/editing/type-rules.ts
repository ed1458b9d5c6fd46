import {
  builtInName,
  isServiceAccountToken,
  keysOfType,
  SERVICE_ACCOUNT_TOKEN_RULE,
  typeRuleViolation,
} from '../../../src/contract/secret-types.ts';
import { bytesOf } from '../../../src/contract/text.ts';
import { OVERRIDING, registriesOf, type Registry } from '../values/registries.ts';
import { isFile, type Value } from '../values/value.ts';
import type { Row } from './draft.ts';

/** What a type still requires. */
export interface TypeNeed {
  /** The key whose value is at fault; undefined when a key is missing, or nothing can help. */
  readonly key: string | undefined;
  readonly text: string;
}

const ANY_VALUE = bytesOf('{}');

/** A stored value fits its type already. */
function bytesHere(value: Value): Uint8Array {
  if (isFile(value)) return value.bytes;
  return typeof value === 'string' ? bytesOf(value) : ANY_VALUE;
}

/** What stands between these rows and their type, or undefined. */
export function typeNeed(type: string, rows: readonly Row[]): TypeNeed | undefined {
  if (isServiceAccountToken(type)) {
    return { key: undefined, text: `${SERVICE_ACCOUNT_TOKEN_RULE}.` };
  }
  const keys = keysOfType(type);
  const ruled = rows.filter(({ key }) => keys.includes(key));
  const data = new Map(ruled.map(({ key, value }) => [key, bytesHere(value)]));
  const violation = typeRuleViolation(type, data);
  if (violation === undefined) return undefined;
  return {
    key: keys.every((key) => data.has(key)) ? keys[0] : undefined,
    text: `This type ${violation}.`,
  };
}

/** The keys that cannot go: without one of them the type's rule does not hold, whatever the others hold. */
export function indispensableKeys(type: string, rows: readonly Row[]): readonly string[] {
  const keys = keysOfType(type);
  const present = keys.filter((key) => rows.some((row) => row.key === key));
  return present.filter((key) => {
    const others = present.filter((other) => other !== key);
    return typeRuleViolation(type, new Map(others.map((other) => [other, ANY_VALUE]))) !== undefined;
  });
}

const isOverriding = (registry: Registry): boolean => registry.isOverriding === true;

/** What a type allows and no one can use, or uses in another way than it looks. */
export function typeWarning(type: string, { key, value }: Row): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (builtInName(type) === 'dockerconfigjson' && registriesOf(key, value)?.some(isOverriding) === true) {
    return OVERRIDING;
  }
  const useless = value === '' && builtInName(type) === 'tls' && keysOfType(type).includes(key);
  return useless ? 'This value is empty: the cluster accepts it, but nothing can use it.' : undefined;
}

/** For a key with certificates, the private key that is to fit, or nothing where none is expected; otherwise undefined. */
export function privateKeyOf(type: string, key: string, rows: readonly Row[]): Value | undefined {
  if (builtInName(type) !== 'tls' || (key !== 'tls.crt' && key !== 'ca.crt')) return undefined;
  return key === 'ca.crt' ? '' : (rows.find((row) => row.key === 'tls.key')?.value ?? '');
}
