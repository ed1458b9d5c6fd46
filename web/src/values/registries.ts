import { DOCKER_CONFIG_KEY, LEGACY_DOCKER_CONFIG_KEY } from '../../../src/contract/secret-types.ts';
import { bytesOf, bytesOfBase64 } from '../../../src/contract/text.ts';
import { isObject, jsonOrUndefined } from '../../../src/contract/json-text.ts';
import { base64Of } from './bytes.ts';

/** One entry of a docker configuration. */
export interface Registry {
  readonly server: string;
  readonly username: string;
  readonly password: string;
  /** The entry names other credentials beside `auth`, which the cluster does not use. */
  readonly isOverriding?: true;
}

/** The registries of a `.dockerconfigjson` or `.dockercfg`; undefined when the text is not such a thing. */
export function registriesOf(key: string, text: string): readonly Registry[] | undefined {
  if (key !== DOCKER_CONFIG_KEY && key !== LEGACY_DOCKER_CONFIG_KEY) return undefined;
  const entries = entriesOf(key, jsonOrUndefined(text));
  if (!isObject(entries)) return undefined;
  return Object.entries(entries).map(([server, entry]) => ({ server, ...credentialsOf(entry) }));
}

/** A `.dockercfg` is what a `.dockerconfigjson` has under `auths`. */
function entriesOf(key: string, parsed: unknown): unknown {
  return key === DOCKER_CONFIG_KEY && isObject(parsed) ? ownValue(parsed, 'auths') : parsed;
}

/** A `.dockerconfigjson`, as `kubectl create secret docker-registry` writes it, or the `.dockercfg` of the same registries. */
export function dockerConfig(key: string, registries: readonly Registry[]): string {
  const auths = registries.map(({ server, username, password }) => {
    const auth = base64Of(bytesOf(`${username}:${password}`));
    return [server, { username, password, auth }] as const;
  });
  const entries = Object.fromEntries(auths);
  return JSON.stringify(key === DOCKER_CONFIG_KEY ? { auths: entries } : entries);
}

/** What to say of a registry whose entry disagrees with itself. */
export const OVERRIDING =
  'This entry has other credentials in "auth" than in "username" and "password". Kubernetes uses those in "auth".';

/** Whether a text is a docker configuration, such as the `config.json` that `docker login` writes. */
export const isDockerConfig = (text: string): boolean => registriesOf(DOCKER_CONFIG_KEY, text) !== undefined;

/** A page with thousands of them would not respond. */
export const MAX_DRAWN = 100;

/**
 * The registries of a configuration that holds nothing else; undefined when a form of registries, users and passwords
 * would lose something of it, or could not draw them all.
 */
export function editableRegistries(key: string, text: string): readonly Registry[] | undefined {
  const parsed = jsonOrUndefined(text);
  const entries = entriesOf(key, parsed);
  if (!isObject(parsed) || !isObject(entries)) return undefined;
  if (entries !== parsed && Object.keys(parsed).length !== 1) return undefined;
  const all = Object.values(entries);
  return all.length <= MAX_DRAWN && all.every(isPlainEntry) ? registriesOf(key, text) : undefined;
}

function isPlainEntry(entry: unknown): boolean {
  if (!isObject(entry)) return false;
  const known = Object.entries(entry).every(
    ([name, value]) => ['username', 'password', 'auth'].includes(name) && typeof value === 'string',
  );
  if (!known) return false;
  const auth = textField(entry, 'auth');
  if (auth !== '' && !decodeAuth(auth).includes(':')) return false;
  const { username, password } = credentialsOf(entry);
  // A text field for one line would lose them.
  return !/[\r\n]/.test(username + password);
}

/** As the cluster reads an entry: `auth` decides where it is there, whatever stands beside it. */
function credentialsOf(entry: unknown): Omit<Registry, 'server'> {
  const fields = { username: textField(entry, 'username'), password: textField(entry, 'password') };
  const [username = '', ...rest] = decodeAuth(textField(entry, 'auth')).split(':');
  if (rest.length === 0) return fields;
  const used = { username, password: rest.join(':') };
  const isSame = (name: keyof typeof used) => fields[name] === '' || fields[name] === used[name];
  return isSame('username') && isSame('password') ? used : { ...used, isOverriding: true };
}

function textField(entry: unknown, name: string): string {
  const value = isObject(entry) ? ownValue(entry, name) : undefined;
  return typeof value === 'string' ? value : '';
}

function decodeAuth(auth: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytesOfBase64(auth));
  } catch {
    return ''; // not base64, or not text, so not credentials
  }
}

function ownValue(object: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
