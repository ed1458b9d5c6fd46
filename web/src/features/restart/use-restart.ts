import { useState } from 'react';
import { useApi } from '../../api/api-context.ts';
import type { ConsumerRef, RestartResult, SecretRef } from '../../api/secrets-api.ts';
import { useUncertainWrite } from '../../api/use-uncertain-write.ts';

type RestartOutcome =
  | { readonly kind: 'answered'; readonly result: RestartResult }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Restarts workloads. The result covers all requests: those that were restarted, and those that failed last. */
export function useRestart(secret: SecretRef) {
  const api = useApi();
  const [result, setResult] = useState<RestartResult>();
  const send = async (consumers: readonly ConsumerRef[]): Promise<RestartOutcome> => ({
    kind: 'answered',
    result: await api.restart(secret, consumers),
  });
  // Nothing of a Secret changes, and a workload does not show who restarted it: the error is all that is known.
  const look = (_consumers: readonly ConsumerRef[], error: unknown): RestartOutcome => ({
    kind: 'failed',
    error,
  });
  const { write, isBusy, outcome } = useUncertainWrite(send, look, (answer) => {
    if (answer.kind === 'failed') return;
    const { restarted, failed } = answer.result;
    setResult((before) => ({ restarted: [...(before?.restarted ?? []), ...restarted], failed }));
  });
  return { restart: write, result, isBusy, error: outcome?.kind === 'failed' ? outcome.error : undefined };
}
