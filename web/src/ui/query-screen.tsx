import type { ReactNode } from 'react';
import { ApiError } from '../api/http-client.ts';
import { ProblemAlert, ProblemScreen } from './problem.tsx';
import { ScreenSkeleton } from './screen.tsx';

interface QueryScreenProps<Data> {
  readonly query: {
    readonly data: Data | undefined;
    readonly error: unknown;
    readonly refetch: () => Promise<unknown>;
  };
  /** What is loaded, for its spinner: "the Secret". */
  readonly what: string;
  /** Left out: the query is sent again. */
  readonly onRetry?: () => void;
  /**
   * What is shown of stale data, when a reload has failed: the data alone (`shown`), or the data with an alert of this
   * title, unless the error says that it is gone or hidden by now.
   */
  readonly stale: 'shown' | { readonly alert: string };
  readonly children: (data: Data, alert: ReactNode) => ReactNode;
}

/** A screen that is made from the data of one query: loading, failed, up to date, or stale. */
export function QueryScreen<Data>({ query, what, onRetry, stale, children }: QueryScreenProps<Data>) {
  const { data, error, refetch } = query;
  const hasFailed = error !== null;
  if (hasFailed && (data === undefined || (stale !== 'shown' && isLost(error)))) {
    return <ProblemScreen error={error} retry={onRetry ?? (() => void refetch())} />;
  }
  if (data === undefined) return <ScreenSkeleton what={what} />;
  const alert = hasFailed && typeof stale === 'object' && <ProblemAlert title={stale.alert} error={error} />;
  return children(data, alert);
}

/** Without access, or deleted: what was shown must not be shown any longer. The end of the session hides every screen. */
const isLost = (error: unknown): boolean => error instanceof ApiError && [403, 404].includes(error.status);
