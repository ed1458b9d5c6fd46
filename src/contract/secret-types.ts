import { isJsonObjectOrNull } from './json-text.ts';

/**
 * What the built-in types require of the data. The rules are those of the cluster itself (presence and JSON shape,
 * never whether a credential works). Both spellings of the prefix have the same rules; a type is stored as it was
 * given.
 */

type SecretData = ReadonlyMap<string, Uint8Array>;

export const DEFAULT_TYPE = 'Opaque';

export const DOCKER_CONFIG_KEY = '.dockerconfigjson';
export const LEGACY_DOCKER_CONFIG_KEY = '.dockercfg';

const BUILT_IN = /^(?:kubernetes|platform)\.io\/(.+)$/;
const BOOTSTRAP_TOKEN_TYPES: readonly string[] = [
  'bootstrap.kubernetes.io/token',
  'bootstrap.platform.io/token',
];

const NOTHING = new Uint8Array(0);

interface TypeRule {
  /** The keys that the rule covers. */
  readonly keys: readonly string[];
  /** What the data must have, in words that follow "needs". */
  readonly needs: string;
  readonly isMet: (data: SecretData) => boolean;
}

const jsonObjectUnder = (key: string): TypeRule => ({
  keys: [key],
  needs: `the key ${key} with a JSON object or null`,
  isMet: (data) => isJsonObjectOrNull(data.get(key) ?? NOTHING),
});

const RULES: ReadonlyMap<string, TypeRule> = new Map(
  Object.entries({
    'basic-auth': {
      keys: ['username', 'password'],
      needs: 'the key username or password',
      isMet: (data) => data.has('username') || data.has('password'),
    },
    'ssh-auth': {
      keys: ['ssh-privatekey'],
      needs: 'the key ssh-privatekey with a nonempty value',
      isMet: (data) => (data.get('ssh-privatekey')?.byteLength ?? 0) > 0,
    },
    tls: {
      keys: ['tls.crt', 'tls.key'],
      needs: 'the keys tls.crt and tls.key',
      isMet: (data) => data.has('tls.crt') && data.has('tls.key'),
    },
    dockerconfigjson: jsonObjectUnder(DOCKER_CONFIG_KEY),
    dockercfg: jsonObjectUnder(LEGACY_DOCKER_CONFIG_KEY),
  } satisfies Readonly<Record<string, TypeRule>>),
);

/** The type of a Secret whose request names none, or an empty one. */
export function storedType(type: string | undefined): string {
  return type === undefined || type === '' ? DEFAULT_TYPE : type;
}

/** A built-in type without its prefix, such as `tls`; undefined for every other type. */
export const builtInName = (type: string): string | undefined => BUILT_IN.exec(type)?.[1];

/** The keys that the rule of a type covers; none if the type has no rule. */
export const keysOfType = (type: string): readonly string[] => ruleOf(type)?.keys ?? [];

/** Whether the rule of any type covers this key. */
export const isTypeKey = (key: string): boolean => [...RULES.values()].some(({ keys }) => keys.includes(key));

/** What the data of a type is missing, as the continuation of the name of the type; undefined if nothing. */
export function typeRuleViolation(type: string, data: SecretData): string | undefined {
  const rule = ruleOf(type);
  return rule === undefined || rule.isMet(data) ? undefined : `needs ${rule.needs}`;
}

/** Service account tokens belong to the cluster's token controller. Nothing else writes them or their metadata. */
export const isServiceAccountToken = (type: string): boolean => builtInName(type) === 'service-account-token';

export const SERVICE_ACCOUNT_TOKEN_RULE =
  'Service account tokens are managed by the cluster and cannot be written';

/** Whether a Secret of this type is a credential for the cluster itself, with which a node joins it. */
export const isBootstrapToken = (type: string): boolean => BOOTSTRAP_TOKEN_TYPES.includes(type);

const ruleOf = (type: string): TypeRule | undefined => RULES.get(builtInName(type) ?? '');
