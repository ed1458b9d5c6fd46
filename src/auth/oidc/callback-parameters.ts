import { LoginFailure } from './login-failure.ts';

/** The callback's query as the browser brought it; `url` is the path and query as requested. */
export function callbackParameters(url: string): URLSearchParams {
  const start = url.indexOf('?');
  return new URLSearchParams(start === -1 ? '' : url.slice(start + 1));
}

/**
 * A repeated parameter is a failure (RFC 6749, section 3.1): one reader could take the first value and another the
 * last.
 * @throws {LoginFailure}
 */
export function refuseDuplicates(parameters: URLSearchParams): void {
  const names = [...parameters.keys()];
  if (new Set(names).size !== names.length) throw new LoginFailure('duplicate_parameter');
}

/** Whether the provider completed a login with this callback: a code and a state, and no error. */
export function isSuccess(parameters: URLSearchParams): boolean {
  return Boolean(parameters.get('code')) && Boolean(parameters.get('state')) && !parameters.has('error');
}

/** The configured redirect URI with the callback's parameters, whatever host the request was sent to. */
export function callbackAddress(redirectUri: string, parameters: URLSearchParams): URL {
  const address = new URL(redirectUri);
  address.search = parameters.toString();
  return address;
}
