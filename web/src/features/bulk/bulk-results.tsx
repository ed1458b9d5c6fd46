import type { SecretSummary } from '../../api/secrets-api.ts';
import { messageOf, RequestId } from '../../ui/problem.tsx';
import type { BulkOutcome, BulkState } from './bulk-job.ts';

export interface BulkResultsProps {
  readonly secrets: readonly SecretSummary[];
  readonly outcomes: ReadonlyMap<string, BulkOutcome>;
  /** What `done` and `pending` mean for this job. */
  readonly done: string;
}

/** One line for each Secret, as soon as it is clear what became of it. */
export function BulkResults({ secrets, outcomes, done }: BulkResultsProps) {
  return (
    <>
      <p role="status">
        {outcomes.size} of {secrets.length} done
      </p>
      <ul className="bulk-results" aria-label="Results">
        {secrets.map(({ name }) => (
          <li key={name}>
            <strong>{name}</strong> <Line outcome={outcomes.get(name)} done={done} />
          </li>
        ))}
      </ul>
    </>
  );
}

const TEXTS: Readonly<Record<Exclude<BulkState, 'done'>, string>> = {
  pending: 'Deletion started, waiting for finalizers',
  gone: 'No longer exists',
  hidden: 'Changed or deleted: you can no longer see it',
  same: 'Not changed',
  changed: 'Not changed: someone changed it since the list was read',
  replaced: 'Not changed: another Secret now has this name',
  unknown: 'It may or may not have been changed. Refresh the list, then try again.',
  notTried: 'Not tried',
};

function Line({ outcome, done }: { readonly outcome: BulkOutcome | undefined; readonly done: string }) {
  if (outcome === undefined) return <span className="hint">Waiting</span>;
  const { state, error } = outcome;
  if (state === 'done') return <span>{done}</span>;
  return (
    <>
      <span>{TEXTS[state]}</span>
      {state === 'same' && error !== undefined && (
        <>
          <span>: {messageOf(error)}.</span>
          <RequestId error={error} />
        </>
      )}
    </>
  );
}
