import { ApiError } from '../api/http-client.ts';

/** Each has a file of its own: that one has come does not mean that another one will. */
export type CodePart = 'screen' | 'switcher' | 'search' | 'user-menu';

/**
 * Loads code that is needed later. After a rollout its file has another name, which only a new page has: that is loaded
 * once for an address. While the service cannot be reached, that is the error.
 * @param target the address that is being opened
 */
export async function loadCode<Code>(
  part: CodePart,
  load: () => Promise<Code>,
  target: () => string,
): Promise<Code> {
  const key = `reloaded-for-code:${part}`;
  try {
    const code = await load();
    sessionStorage.removeItem(key);
    return code;
  } catch (error) {
    if (!(await isReachable())) throw new ApiError(0, 'The service cannot be reached', undefined);
    const address = target();
    if (sessionStorage.getItem(key) === address) throw error;
    sessionStorage.setItem(key, address);
    window.location.assign(address);
    // Until the new page replaces this one.
    return new Promise(() => undefined);
  }
}

function isReachable(): Promise<boolean> {
  return fetch('/api/config', { cache: 'no-store' }).then(
    () => true,
    () => false,
  );
}
