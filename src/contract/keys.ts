/** The contract's key rule, which is also Kubernetes' own for the keys of a Secret. */
export const KEY_RULE =
  'keys must be 1 to 253 characters from ASCII letters, digits, ".", "_" and "-", not "." and not beginning with ".."';

const KEY = /^[A-Za-z0-9._-]{1,253}$/;

export function isValidKey(key: string): boolean {
  return KEY.test(key) && key !== '.' && !key.startsWith('..');
}
