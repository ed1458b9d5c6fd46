import { useApi } from '../../api/api-context.ts';
import type { SecretRef } from '../../api/secrets-api.ts';
import { copyText } from '../../ui/copy-text.ts';
import { useNotify } from '../../ui/notices.tsx';
import { ROW_WORDS } from '../../words/list.ts';

/** Reads one value, which is audited like any other read, and copies it without showing it. */
export function useCopyKey({ namespace, name }: SecretRef): (key: string) => Promise<void> {
  const api = useApi();
  const notify = useNotify();
  return async (key) => {
    const warn = (text: string) => notify(text, { variant: 'warning' });
    try {
      const value = (await api.read({ namespace, name })).text.get(key);
      if (value !== undefined) await copyText(value);
      if (value === undefined) warn(ROW_WORDS.noText(key));
      else notify(ROW_WORDS.copied(key));
    } catch {
      // The browser refuses, or the value cannot be read: its own page says why.
      warn(ROW_WORDS.notCopied(key));
    }
  };
}
