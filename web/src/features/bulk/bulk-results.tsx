import type { SecretSummary } from '../../api/secrets-api.ts';
import { messageOf, RequestId } from '../../ui/problem.tsx';
import { BULK_WORDS, OUTCOME_WORDS } from '../../words/bulk.ts';
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
      <p role="status">{BULK_WORDS.progress(outcomes.size, secrets.length)}</p>
      <ul className="bulk-results" aria-label={BULK_WORDS.results}>
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
  pending: OUTCOME_WORDS.deletionPending,
  gone: OUTCOME_WORDS.gone,
  hidden: OUTCOME_WORDS.hidden,
  same: OUTCOME_WORDS.same,
  changed: OUTCOME_WORDS.changed,
  replaced: OUTCOME_WORDS.replaced,
  unknown: OUTCOME_WORDS.unknown,
  notTried: OUTCOME_WORDS.notTried,
};

function Line({ outcome, done }: { readonly outcome: BulkOutcome | undefined; readonly done: string }) {
  if (outcome === undefined) return <span className="hint">{OUTCOME_WORDS.waiting}</span>;
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
