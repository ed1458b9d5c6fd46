import { Alert } from '@patternfly/react-core';
import { useState } from 'react';
import { useRollouts } from '../../api/queries.ts';
import type { Consumer, ConsumerRef, RestartResult, SecretRef } from '../../api/secrets-api.ts';
import { useNow } from '../../ui/use-now.ts';
import { progressOf } from './progress.ts';
import { idOf, reasonInWords } from './workloads.ts';

export interface RestartOutcomeProps {
  readonly result: RestartResult;
  readonly secret: SecretRef;
}

/** What became of each workload. */
export function RestartOutcome({ result: { restarted, failed }, secret }: RestartOutcomeProps) {
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
                : {reasonInWords(one.reason)}
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
