import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useApi } from '../../api/api-context.ts';
import { queryKeys } from '../../api/query-keys.ts';
import type { SecretSummary } from '../../api/secrets-api.ts';
import { runBulk, type BulkJob, type BulkOutcome } from './bulk-job.ts';

/** One run of a job over Secrets of a namespace; afterwards their list is read again. */
export function useBulk(namespace: string, secrets: readonly SecretSummary[]) {
  const api = useApi();
  const queries = useQueryClient();
  const stopped = useRef(false);
  const [isRunning, setRunning] = useState(false);
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, BulkOutcome>>();
  const run = async (job: BulkJob): Promise<void> => {
    setRunning(true);
    setOutcomes(new Map());
    await runBulk({
      secrets,
      job,
      readList: async () => {
        api.readNextListLive(namespace);
        return (await api.list(namespace, AbortSignal.timeout(LOOK_MS))).secrets;
      },
      onOutcome: (name, outcome) => setOutcomes((old) => new Map(old).set(name, outcome)),
      isStopped: () => stopped.current,
    });
    setRunning(false);
    void queries.invalidateQueries({ queryKey: queryKeys.list(namespace) });
  };
  const stop = () => {
    stopped.current = true;
  };
  return { run, stop, isRunning, outcomes };
}

const LOOK_MS = 18_000;
