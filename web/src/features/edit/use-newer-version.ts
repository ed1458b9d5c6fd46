import { useCallback, useState } from 'react';
import { useApi } from '../../api/api-context.ts';
import { storedSecret, type StoredSecret } from '../../editing/stored-secret.ts';
import { useOnReturn } from '../../ui/use-on-return.ts';

/**
 * A version that was saved elsewhere while this form is open. Looked for when someone returns to the tab; a save is
 * checked by the service in any case.
 */
export function useNewerVersion(base: StoredSecret): StoredSecret | undefined {
  const api = useApi();
  const [found, setFound] = useState<{ readonly base: StoredSecret; readonly now: StoredSecret }>();
  const look = useCallback(async () => {
    try {
      setFound({ base, now: storedSecret(api, await api.describe(base)) });
    } catch {
      // Nothing is known of a newer version; the save finds out.
    }
  }, [api, base]);
  useOnReturn(useCallback(() => void look(), [look]));
  if (found?.base !== base || found.now.resourceVersion === base.resourceVersion) return undefined;
  return found.now;
}
