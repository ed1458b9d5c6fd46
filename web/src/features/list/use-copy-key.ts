import { useApi } from '../../api/api-context.ts';
import type { SecretRef } from '../../api/secrets-api.ts';
import { copyText } from '../../ui/copy-text.ts';
import { useNotify } from '../../ui/notices.tsx';

/** Reads one value, which is audited like any other read, and copies it without showing it. */
export function useCopyKey({ namespace, name }: SecretRef): (key: string) => Promise<void> {
  const api = useApi();
  const notify = useNotify();
  return async (key) => {
    const warn = (text: string) => notify(text, { variant: 'warning' });
    try {
      const value = (await api.read({ namespace, name })).text.get(key);
      if (value !== undefined) await copyText(value);
      if (value === undefined) warn(`${key} was not copied: it is binary, or no longer there.`);
      else notify(`${key} is copied.`);
    } catch {
      // The browser refuses, or the value cannot be read: its own page says why.
      warn(`Couldn't copy ${key}. Open the Secret to see why.`);
    }
  };
}
