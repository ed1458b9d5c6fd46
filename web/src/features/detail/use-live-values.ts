import { useCallback, useState } from 'react';
import { useApi } from '../../api/api-context.ts';
import { ApiError } from '../../api/http-client.ts';
import type { useDescribedSecret } from '../../api/queries.ts';
import type { SecretRef } from '../../api/secrets-api.ts';
import { NewerVersionError } from '../../api/unread-value.ts';
import { useOnReturn } from '../../ui/use-on-return.ts';
import type { ReadValue } from './named-value.ts';

type Query = Pick<ReturnType<typeof useDescribedSecret>, 'data' | 'refetch'>;

/**
 * Reads single values of a Secret, and the Secret again when someone returns to it, or when a value shows that it has
 * changed: what was on the page by then is never shown with the values of another version.
 */
export function useLiveValues({ namespace, name }: SecretRef, { data, refetch }: Query) {
  const api = useApi();
  const [newer, setNewer] = useState<string>();
  const revision = data?.resourceVersion;
  const reload = useCallback(async () => {
    const now = await refetch({ cancelRefetch: false });
    const found = now.isError ? undefined : now.data?.resourceVersion;
    if (revision !== undefined && found !== undefined && found !== revision) setNewer(found);
  }, [refetch, revision]);
  const readValue = useCallback<ReadValue>(
    async (key, signal) => {
      try {
        const value = await api.readKey({ namespace, name }, key, signal && { signal });
        if (value.resourceVersion === revision) return value.bytes;
      } catch (error) {
        // Without access, without this key, or deleted: the page shows which.
        if (error instanceof ApiError && [403, 404].includes(error.status)) void reload();
        throw error;
      }
      await reload();
      throw new NewerVersionError();
    },
    [api, namespace, name, revision, reload],
  );
  useOnReturn(useCallback(() => void reload(), [reload]));
  return { readValue, newer };
}
