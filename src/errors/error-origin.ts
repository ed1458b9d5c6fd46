import { fileURLToPath } from 'node:url';

/** The class name of an error, a constant of the code, never text of a request. */
export function kindOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.constructor.name : typeof thrown;
}

/** The lines after the message, which may be as long as a request and may itself look like frames. */
function framesOf({ message, stack = '' }: Error): readonly string[] {
  const begin = stack.indexOf(message);
  if (begin < 0) return [];
  return stack
    .slice(begin + message.length)
    .split('\n')
    .filter((frame) => frame.startsWith('    at '));
}

/** The folder of this service's own modules: src, or dist once built. Frames contain it as a URL or as a path. */
const OWN_CODE = new URL('..', import.meta.url);
const OWN_PREFIXES: readonly string[] = [OWN_CODE.href, fileURLToPath(OWN_CODE)];

/** A function's name in a stack frame, with its class or `async`. */
const FUNCTION_NAME = /^[\w$.<> ]{1,80}$/;

/**
 * The module and function of this service's own code in which the error occurred, such as `auth/login/claims#mapClaims`.
 * Never text of a message.
 */
export function ownPlaceOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error)) return undefined;
  for (const frame of framesOf(thrown)) {
    const prefix = OWN_PREFIXES.find((candidate) => frame.includes(candidate));
    if (prefix === undefined) continue;
    const begin = frame.indexOf(prefix);
    const module = frame.slice(begin + prefix.length).split(/\.[cm]?[jt]s:/, 1)[0] ?? '';
    const name = frame.slice('    at '.length, Math.max(begin - ' ('.length, '    at '.length));
    return FUNCTION_NAME.test(name) ? `${module}#${name.replace(/^async /, '')}` : module;
  }
  return undefined;
}
