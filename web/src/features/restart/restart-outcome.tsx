import { Alert } from '@patternfly/react-core';
import type { RestartResult } from '../../api/secrets-api.ts';
import { idOf, reasonInWords } from './workloads.ts';

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
        <Alert isInline variant="success" component="h2" title="Restart started">
          <ul aria-label="Restarted">
            {restarted.map((one) => (
              <li key={idOf(one)}>
                {one.kind} {one.name}
              </li>
            ))}
          </ul>
          <p>
            The cluster replaces the pods one after another, in each workload's own way. To watch the rollout:
          </p>
          {first !== undefined && (
            <code className="value">
              kubectl -n {namespace} rollout status {first.kind.toLowerCase()}/{first.name}
            </code>
          )}
        </Alert>
      )}
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
