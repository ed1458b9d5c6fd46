/** One entry of a docker configuration. */
export interface Registry {
  readonly server: string;
  readonly username: string;
  readonly password: string;
}

export const DOCKER_KEY = '.dockerconfigjson';

/** The registries of a `.dockerconfigjson` or `.dockercfg`; undefined when the text is not such a thing. */
export function registriesOf(key: string, text: string): readonly Registry[] | undefined {
  if (key !== DOCKER_KEY && key !== '.dockercfg') return undefined;
  const parsed = parse(text);
  const entries = key === DOCKER_KEY && isObject(parsed) ? ownValue(parsed, 'auths') : parsed;
  if (!isObject(entries)) return undefined;
  return Object.entries(entries).map(([server, entry]) => ({ server, ...credentialsOf(entry) }));
}

/** A `.dockerconfigjson` with one registry, as `kubectl create secret docker-registry` writes it. */
export function dockerConfig({ server, username, password }: Registry): string {
  const bytes = new TextEncoder().encode(`${username}:${password}`);
  const auth = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  return JSON.stringify({ auths: Object.fromEntries([[server, { username, password, auth }]]) });
}

function credentialsOf(entry: unknown): Pick<Registry, 'username' | 'password'> {
  const field = (name: string) => {
    const value = isObject(entry) ? ownValue(entry, name) : undefined;
    return typeof value === 'string' ? value : '';
  };
  const [username = '', ...rest] = decodeAuth(field('auth')).split(':');
  return { username: field('username') || username, password: field('password') || rest.join(':') };
}

function decodeAuth(auth: string): string {
  try {
    return atob(auth);
  } catch {
    return ''; // not base64, so not credentials
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // shown as plain text
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function ownValue(object: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
