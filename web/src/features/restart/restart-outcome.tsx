import { Alert } from '@patternfly/react-core';
import type { RestartResult } from '../../api/secrets-api.ts';
import { idOf, reasonInWords } from './workloads.ts';
import { RESTART_OUTCOME_WORDS } from '../../words/restart.ts';

export interface RestartOutcomeProps {
  readonly result: RestartResult;
  readonly namespace: string;
}

/** What became of each workload, and what it does not mean. */
export function RestartOutcome({ result: { restarted, failed }, namespace }: RestartOutcomeProps) {
  const [first] = restarted;
  return (
    <div aria-live="polite" className="outcomes">
      {restarted.length > 0 && (
        <Alert isInline variant="success" component="h2" title={RESTART_OUTCOME_WORDS.started}>
          <ul aria-label={RESTART_OUTCOME_WORDS.restarted}>
            {restarted.map((one) => (
              <li key={idOf(one)}>
                {one.kind} {one.name}
              </li>
            ))}
          </ul>
          <p>{RESTART_OUTCOME_WORDS.watch}</p>
          {first !== undefined && (
            <code className="value">
              {RESTART_OUTCOME_WORDS.watchCommand(namespace, first.kind.toLowerCase(), first.name)}
            </code>
          )}
        </Alert>
      )}
      {failed.length > 0 && (
        <Alert isInline variant="danger" component="h2" title={RESTART_OUTCOME_WORDS.notRestarted}>
          <ul aria-label={RESTART_OUTCOME_WORDS.notRestarted}>
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
