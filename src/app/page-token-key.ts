import { hkdfSync, randomBytes } from 'node:crypto';
import { readSigningKey } from '../auth/session/sessions.ts';
import type { Settings } from '../config/settings.ts';
import { KEY_BYTES } from '../secrets/seal.ts';

/** Keys of other purposes are derived with another text. */
const PURPOSE = 'service continue tokens';

/** The key of `continue` tokens, the same on every replica; without a signing key, one of this process alone. */
export function pageTokenKey({ auth }: Pick<Settings, 'auth'>): Uint8Array {
  const { key } = auth.disabled ? {} : readSigningKey(auth.sessionSecret);
  if (key === undefined) return randomBytes(KEY_BYTES);
  return new Uint8Array(hkdfSync('sha256', key, '', PURPOSE, KEY_BYTES));
}
