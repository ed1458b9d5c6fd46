import { Button } from '@patternfly/react-core';
import type { ReactNode } from 'react';
import type { SecretSummary } from '../../api/secrets-api.ts';
import { Dialog } from '../../ui/dialog.tsx';
import type { BulkOutcome, BulkState } from './bulk-job.ts';
import { messageOf, RequestId } from '../../ui/problem.tsx';

export interface BulkDialogProps {
  readonly title: string;
  readonly isDanger: boolean;
  readonly secrets: readonly SecretSummary[];
  readonly outcomes: ReadonlyMap<string, BulkOutcome> | undefined;
  readonly isRunning: boolean;
  readonly isReady: boolean;
  /** What the button says that begins. */
  readonly action: string;
  /** What is said of a Secret for which it went well. */
  readonly done: string;
  readonly onRun: () => void;
  readonly onStop: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Confirms first, then shows what becomes of each Secret. What has been sent cannot be called back, so it waits for that. */
export function BulkDialog(props: BulkDialogProps) {
  const { title, isDanger, secrets, outcomes, isRunning, done, onClose, children } = props;
  return (
    <Dialog
      id="bulk"
      title={title}
      variant="medium"
      isDanger={isDanger}
      isDescribed
      isBusy={isRunning}
      onClose={onClose}
      buttons={<Buttons {...props} />}
    >
      {outcomes === undefined ? children : <BulkResults secrets={secrets} outcomes={outcomes} done={done} />}
    </Dialog>
  );
}

function Buttons({
  outcomes,
  isRunning,
  isReady,
  isDanger,
  action,
  onRun,
  onStop,
  onClose,
}: BulkDialogProps) {
  if (isRunning) {
    return (
      <Button variant="secondary" onClick={onStop}>
        Stop
      </Button>
    );
  }
  if (outcomes !== undefined) return <Button onClick={onClose}>Close</Button>;
  return (
    <>
      <Button variant={isDanger ? 'danger' : 'primary'} isDisabled={!isReady} onClick={onRun}>
        {action}
      </Button>
      <Button variant="link" onClick={onClose}>
        Cancel
      </Button>
    </>
  );
}

interface BulkResultsProps {
  readonly secrets: readonly SecretSummary[];
  readonly outcomes: ReadonlyMap<string, BulkOutcome>;
  /** What `done` and `pending` mean for this job. */
  readonly done: string;
}

/** One line for each Secret, as soon as it is clear what became of it. */
function BulkResults({ secrets, outcomes, done }: BulkResultsProps) {
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
