import { ApiError } from '../api/http-client.ts';

const RELOADED_FOR = 'reloaded-for-code';

/**
 * Loads the code of a screen. After a rollout its file has another name, which only a new page has: that is loaded
 * once for an address. While the service cannot be reached, that is the error.
 * @param target the address that is being opened
 */
export async function loadCode<Code>(load: () => Promise<Code>, target: () => string): Promise<Code> {
  try {
    const code = await load();
    sessionStorage.removeItem(RELOADED_FOR);
    return code;
  } catch (error) {
    if (!(await isReachable())) throw new ApiError(0, 'The service cannot be reached', undefined);
    const address = target();
    if (sessionStorage.getItem(RELOADED_FOR) === address) throw error;
    sessionStorage.setItem(RELOADED_FOR, address);
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
