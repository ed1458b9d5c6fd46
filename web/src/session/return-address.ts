const KEY = 'return-to';

/** Where someone was going when the sign-in came in between; an address holds names, never values. */
export function rememberReturnAddress(path: string): void {
  sessionStorage.setItem(KEY, path);
}

/** The remembered address, once. */
export function takeReturnAddress(): string | undefined {
  const path = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  return path !== null && /^\/(namespaces\/|(cli|expiring)([?#]|$))/.test(path) ? path : undefined;
}
