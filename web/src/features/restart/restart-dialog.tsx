import { Button } from '@patternfly/react-core';
import { useState } from 'react';
import { useApi } from '../../api/api-context.ts';
import { useConsumers } from '../../api/queries.ts';
import type { ConsumerRef, RestartResult, SecretRef } from '../../api/secrets-api.ts';
import { useUncertainWrite } from '../../api/use-uncertain-write.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ProblemAlert } from '../../ui/problem.tsx';
import { Loading } from '../../ui/screen.tsx';
import { SlowWrite } from '../../ui/slow.tsx';
import { counted } from '../../values/format.ts';
import { ConsumerList } from './consumer-list.tsx';
import { RestartOutcome } from './restart-outcome.tsx';
import { idOf, needsRestart } from './workloads.ts';

export interface RestartDialogProps {
  readonly secret: SecretRef;
  readonly onClose: () => void;
}

/** Which workloads use the Secret, and a restart of those that one chooses. It goes on when the dialog is closed. */
export function RestartDialog({ secret, onClose }: RestartDialogProps) {
  const { data, error: unread, refetch, isFetching } = useConsumers(secret);
  const [picked, setPicked] = useState<ReadonlySet<string>>();
  const { restart, result, isBusy, error } = useRestart(secret);
  const consumers = data ?? [];
  const chosen = picked ?? new Set(consumers.filter(needsRestart).map(idOf));
  const wanted = consumers.filter((consumer) => chosen.has(idOf(consumer)));
  const failed = result?.failed ?? [];
  const buttons = (
    <>
      {data === undefined && unread !== null && (
        <Button isDisabled={isFetching} onClick={() => void refetch()}>
          Try again
        </Button>
      )}
      {result === undefined && consumers.length > 0 && (
        <Button
          isDisabled={wanted.length === 0 || isBusy}
          isLoading={isBusy}
          onClick={() => void restart(wanted)}
        >
          Restart {counted(wanted.length, 'workload')}
        </Button>
      )}
      {failed.length > 0 && (
        <Button isDisabled={isBusy} isLoading={isBusy} onClick={() => void restart(failed)}>
          Try the failed ones again
        </Button>
      )}
      <Button variant="link" onClick={onClose}>
        {data !== undefined && result === undefined ? 'Cancel' : 'Close'}
      </Button>
    </>
  );
  const title = `Workloads that use ${secret.name}`;
  return (
    <Dialog id="restart" variant="medium" {...{ title, buttons, onClose }}>
      {data === undefined && unread === null && <Loading what="the workloads" />}
      {data === undefined && unread !== null && (
        <ProblemAlert title="Couldn't load the workloads" error={unread} />
      )}
      {data !== undefined && result === undefined && (
        <ConsumerList consumers={data} chosen={chosen} onChoose={setPicked} />
      )}
      {result !== undefined && <RestartOutcome result={result} secret={secret} />}
      {error !== undefined && <ProblemAlert title="Couldn't restart the workloads" error={error} />}
      <SlowWrite isBusy={isBusy} />
    </Dialog>
  );
}

/** Restarts workloads. The result covers all requests: those that were restarted, and those that failed last. */
function useRestart(secret: SecretRef) {
  const api = useApi();
  const [result, setResult] = useState<RestartResult>();
  const send = async (consumers: readonly ConsumerRef[]): Promise<unknown> => {
    const { restarted, failed } = await api.restart(secret, consumers);
    setResult((before) => ({ restarted: [...(before?.restarted ?? []), ...restarted], failed }));
    return undefined;
  };
  // Nothing of a Secret changes, and a workload does not show who restarted it: the error is all that is known.
  const look = (_consumers: readonly ConsumerRef[], error: unknown) => error;
  const { write, isBusy, outcome: error } = useUncertainWrite(send, look, () => undefined);
  return { restart: write, result, isBusy, error };
}
