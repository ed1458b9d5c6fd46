import { Alert, Button } from '@patternfly/react-core';
import { useState } from 'react';
import { useApi } from '../../api/api-context.ts';
import { outcomeIsUnknown } from '../../api/http-client.ts';
import { useConsumers, useRollouts } from '../../api/queries.ts';
import type { Consumer, ConsumerRef, RestartResult, SecretRef } from '../../api/secrets-api.ts';
import { useUncertainWrite } from '../../ui/use-uncertain-write.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ProblemAlert } from '../../ui/problem.tsx';
import { Loading } from '../../ui/screen.tsx';
import { useNow } from '../../ui/use-now.ts';
import { counted } from '../../values/format.ts';
import { ConsumerList } from './consumer-list.tsx';
import { idOf, needsRestart, progressOf, FAILURES } from './workloads.ts';

export interface RestartDialogProps {
  readonly secret: SecretRef;
  readonly onClose: () => void;
}

/** Which workloads use the Secret, and a restart of those that one chooses. The rollouts go on when the dialog is closed. */
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
      <Button variant="link" isDisabled={isBusy} onClick={onClose}>
        {data !== undefined && result === undefined ? 'Cancel' : 'Close'}
      </Button>
    </>
  );
  const title = `Workloads that use ${secret.name}`;
  return (
    <Dialog id="restart" variant="medium" {...{ title, isBusy, buttons, onClose }}>
      {data === undefined && unread === null && <Loading what="the workloads" />}
      {data === undefined && unread !== null && (
        <ProblemAlert title="Couldn't load the workloads" error={unread} />
      )}
      {data !== undefined && result === undefined && (
        <ConsumerList consumers={data} chosen={chosen} onChoose={setPicked} />
      )}
      {result !== undefined && <RestartOutcome result={result} secret={secret} />}
      {error !== undefined && <ProblemAlert {...failureOf(error)} error={error} />}
    </Dialog>
  );
}

/** No workload shows who restarted it, so a lost answer stays open. */
function failureOf(error: unknown) {
  if (!outcomeIsUnknown(error)) return { title: "Couldn't restart the workloads" };
  const advice = 'Check them before you try again: that restarts them once more.';
  return { title: 'The workloads may or may not have been restarted', advice };
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

interface RestartOutcomeProps {
  readonly result: RestartResult;
  readonly secret: SecretRef;
}

/** What became of each workload. */
function RestartOutcome({ result: { restarted, failed }, secret }: RestartOutcomeProps) {
  return (
    <div aria-live="polite" className="outcomes">
      {restarted.length > 0 && <Rollouts key={restarted.length} secret={secret} restarted={restarted} />}
      {failed.length > 0 && (
        <Alert isInline variant="danger" component="h2" title="Not restarted">
          <ul aria-label="Not restarted">
            {failed.map((one) => (
              <li key={idOf(one)}>
                <strong>
                  {one.kind} {one.name}
                </strong>
                : {FAILURES[one.reason]}
              </li>
            ))}
          </ul>
        </Alert>
      )}
    </div>
  );
}

/** The progress deadline of a Deployment, unless it sets another. */
const PATIENCE_MS = 600_000;

interface RolloutsProps {
  readonly secret: SecretRef;
  readonly restarted: readonly ConsumerRef[];
}

/** How far each restarted workload is, until all are done, one cannot be or ten minutes are over. */
function Rollouts({ secret, restarted }: RolloutsProps) {
  const [until] = useState(() => Date.now() + PATIENCE_MS);
  const isOver = (consumers: readonly Consumer[] | undefined) =>
    Date.now() > until || restarted.every((one) => progressOf(one, consumers).state !== 'waiting');
  const { data, isError } = useRollouts(secret, isOver);
  const isLate = useNow() > until;
  const rows = restarted.map((workload) => ({ workload, ...progressOf(workload, data, isLate) }));
  const done = rows.filter(({ state }) => state === 'done').length;
  const isWaiting = rows.some(({ state }) => state === 'waiting');
  const [first] = restarted;
  return (
    <Alert isInline component="h2" {...titleOf(isWaiting, done === rows.length)}>
      {/* Each pod would be announced. */}
      <ul aria-label="Restarted" aria-live="off">
        {rows.map(({ workload, text }) => (
          <li key={idOf(workload)}>
            <strong>
              {workload.kind} {workload.name}
            </strong>
            : {text}
          </li>
        ))}
      </ul>
      <p>{`${done} of ${rows.length} restarted.`}</p>
      {isWaiting && (
        <p>
          The cluster replaces the pods one after another, in each workload's own way. To watch the rollout:
        </p>
      )}
      {isWaiting && first !== undefined && (
        <code className="value">
          kubectl -n {secret.namespace} rollout status {first.kind.toLowerCase()}/{first.name}
        </code>
      )}
      {isWaiting && isError && <p>Couldn't load the progress. Trying again.</p>}
    </Alert>
  );
}

function titleOf(isWaiting: boolean, isDone: boolean) {
  if (isWaiting) return { variant: 'info', title: 'Restart started' } as const;
  return isDone
    ? ({ variant: 'success', title: 'Restarted' } as const)
    : ({ variant: 'warning', title: 'Restart not finished' } as const);
}
