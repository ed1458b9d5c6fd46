import { useCallback, useState } from 'react';
import type { useSecret } from '../../api/queries.ts';
import { CURRENT_MS, type WhenCurrent } from '../../ui/current-values.ts';
import { useOnReturn } from '../../ui/use-on-return.ts';

/** Browsers allow copying only shortly after a click, so a slow service does not hold it up for longer. */
const PATIENCE_MS = 3_000;

type Query = Pick<ReturnType<typeof useSecret>, 'data' | 'dataUpdatedAt' | 'refetch'>;

/** Reads a Secret again when someone returns to it, and before its values are revealed or copied. */
export function useCurrentValues({ data, dataUpdatedAt, refetch }: Query) {
  const [newer, setNewer] = useState<string>();
  const check = useCallback(async (): Promise<'current' | 'newer' | 'unchecked'> => {
    if (data === undefined || Date.now() - dataUpdatedAt < CURRENT_MS) return 'current';
    const now = await Promise.race([refetch({ cancelRefetch: false }), delay(PATIENCE_MS)]);
    if (now?.data === undefined || now.isError) return 'unchecked';
    if (now.data.resourceVersion === data.resourceVersion) return 'current';
    setNewer(now.data.resourceVersion);
    return 'newer';
  }, [data, dataUpdatedAt, refetch]);
  useOnReturn(useCallback(() => void check(), [check]));
  const whenCurrent: WhenCurrent = (action) => {
    void check().then((result) => {
      if (result !== 'newer') action(result === 'current');
    });
  };
  return { whenCurrent, newer };
}

function delay(ms: number): Promise<undefined> {
  return new Promise((resolve) => {
    window.setTimeout(() => resolve(undefined), ms);
  });
}
