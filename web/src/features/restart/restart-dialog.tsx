import { Button, Modal, ModalBody, ModalFooter, ModalHeader } from '@patternfly/react-core';
import { useState } from 'react';
import { useConsumers } from '../../api/queries.ts';
import type { Consumer, SecretRef, ConsumerRef, RestartResult } from '../../api/secrets-api.ts';
import { ProblemAlert } from '../../ui/problem.tsx';
import { Loading } from '../../ui/screen.tsx';
import { SlowWrite } from '../../ui/slow.tsx';
import { ConsumerList } from './consumer-list.tsx';
import { RestartOutcome } from './restart-outcome.tsx';
import { idOf, needsRestart } from './workloads.ts';
import { counted } from '../../values/format.ts';
import { useApi } from '../../api/api-context.ts';
import { useUncertainWrite } from '../../api/use-uncertain-write.ts';

export interface RestartDialogProps {
  readonly secret: SecretRef;
  readonly onClose: () => void;
}

/** Which workloads use the Secret, and a restart of those that one chooses. */
export function RestartDialog({ secret, onClose }: RestartDialogProps) {
  const { data, error, refetch, isFetching } = useConsumers(secret);
  return (
    <Modal isOpen variant="medium" onClose={onClose} aria-labelledby="restart-title">
      <ModalHeader title={`Workloads that use ${secret.name}`} labelId="restart-title" />
      {data === undefined ? (
        <>
          <ModalBody className="dialog-body">
            {error === null ? (
              <Loading what="the workloads" />
            ) : (
              <ProblemAlert title="Couldn't load the workloads" error={error} />
            )}
          </ModalBody>
          <ModalFooter>
            {error !== null && (
              <Button isDisabled={isFetching} onClick={() => void refetch()}>
                Try again
              </Button>
            )}
            <Button variant="link" onClick={onClose}>
              Close
            </Button>
          </ModalFooter>
        </>
      ) : (
        <Workloads secret={secret} consumers={data} onClose={onClose} />
      )}
    </Modal>
  );
}

interface WorkloadsProps extends RestartDialogProps {
  readonly consumers: readonly Consumer[];
}

function Workloads({ secret, consumers, onClose }: WorkloadsProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(consumers.filter(needsRestart).map(idOf)),
  );
  const { restart, result, isBusy, error } = useRestart(secret);
  const wanted = consumers.filter((consumer) => chosen.has(idOf(consumer)));
  const failed = result?.failed ?? [];
  return (
    <>
      <ModalBody className="dialog-body">
        {result === undefined ? (
          <ConsumerList consumers={consumers} chosen={chosen} onChoose={setChosen} />
        ) : (
          <RestartOutcome result={result} secret={secret} />
        )}
        {error !== undefined && <ProblemAlert title="Couldn't restart the workloads" error={error} />}
        <SlowWrite isBusy={isBusy} />
      </ModalBody>
      <ModalFooter>
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
          {result === undefined ? 'Cancel' : 'Close'}
        </Button>
      </ModalFooter>
    </>
  );
}

type RestartOutcome =
  | { readonly kind: 'answered'; readonly result: RestartResult }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Restarts workloads. The result covers all requests: those that were restarted, and those that failed last. */
function useRestart(secret: SecretRef) {
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
