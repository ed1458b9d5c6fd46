import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useApi } from '../../api/api-context.ts';
import { ApiError } from '../../api/http-client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import type { SecretsApi, SecretSummary } from '../../api/secrets-api.ts';
import { runBulk, type BulkJob, type BulkOutcomes } from './bulk-job.ts';

/** Runs a job over Secrets of a namespace; afterwards their list is read again. */
export function useBulk(namespace: string) {
  const api = useApi();
  const queries = useQueryClient();
  const isStopped = useRef(false);
  const [isRunning, setRunning] = useState(false);
  const [outcomes, setOutcomes] = useState<BulkOutcomes>();
  /** What is known of other Secrets from an earlier run stays. */
  const run = async (secrets: readonly SecretSummary[], job: BulkJob): Promise<BulkOutcomes> => {
    const known = new Map(outcomes);
    for (const { name } of secrets) known.delete(name);
    isStopped.current = false;
    setRunning(true);
    setOutcomes(new Map(known));
    await runBulk({
      secrets,
      job,
      readNow: () => readNow(api, namespace, secrets),
      onOutcome: (name, outcome) => setOutcomes(new Map(known.set(name, outcome))),
      isStopped: () => isStopped.current,
    });
    setRunning(false);
    void queries.invalidateQueries({ queryKey: queryKeys.list(namespace) });
    return known;
  };
  const stop = () => {
    isStopped.current = true;
  };
  return { run, stop, isRunning, outcomes };
}

const LOOK_MS = 18_000;

/** The Secrets that exist, as they are in the cluster: one by itself, several with one list. */
async function readNow(api: SecretsApi, namespace: string, secrets: readonly SecretSummary[]) {
  const signal = AbortSignal.timeout(LOOK_MS);
  const [first] = secrets;
  if (first !== undefined && secrets.length === 1) {
    return api.describe(first, signal).then(
      (now) => [now],
      (error: unknown) => {
        if (error instanceof ApiError && error.status === 404) return [];
        throw error;
      },
    );
  }
  api.readNextListLive(namespace);
  return (await api.list(namespace, signal)).secrets;
}
