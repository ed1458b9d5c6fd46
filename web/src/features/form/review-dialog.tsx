import { Alert, Button } from '@patternfly/react-core';
import { useEffect, useState, type ReactNode } from 'react';
import { noteViolation } from '../../../../src/contract/text.ts';
import { outcomeIsUnknown } from '../../api/http-client.ts';
import { useSessionWatch } from '../../api/session-watch.ts';
import type { KeyChange } from '../../editing/changes.ts';
import { orNone, type FieldChange } from '../../editing/fields.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useDirty } from '../../ui/dirty-forms.ts';
import { Facts } from '../../ui/facts.tsx';
import { KeyChanges, type KeySelection } from '../../ui/key-changes.tsx';
import { ProblemAlert } from '../../ui/problem.tsx';
import { TextField } from '../../ui/text-field.tsx';

/** What is said with a confirmation. */
export interface Confirmation {
  readonly recoverCounter: boolean;
  /** Left out: none. */
  readonly changeNote?: string;
}

export interface ReviewDialogProps extends Omit<SaveFailureProps, 'failure'> {
  readonly title: string;
  readonly confirm: string;
  readonly changes: readonly KeyChange[];
  /** Of more keys than one, which the write is for; left out: all. */
  readonly selection?: KeySelection;
  /** What is kept with the version, which outlives this dialog: that closes for a conflict, too. Left out: none can be. */
  readonly note?: readonly [text: string, onChange: (text: string) => void];
  /** Nothing is left to confirm. */
  readonly isEmpty?: boolean;
  /** Said where no value changes. */
  readonly unchanged?: string;
  readonly fields?: readonly FieldChange[];
  /** A request that is on its way cannot be called back: until its outcome is known the dialog stays. */
  readonly isBusy: boolean;
  /** What became of it, where it was confirmed already. */
  readonly failure: Failure | undefined;
  readonly onConfirm: (confirmation: Confirmation) => void;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/** The note of a review that can be opened again. */
export function useNote() {
  const note = useState('');
  useDirty(note[0] !== '', 'typed');
  return note;
}

/** What is about to happen, key by key, before it happens. */
export function ReviewDialog(props: ReviewDialogProps) {
  const { title, confirm, changes, selection, unchanged = 'No value changes.', fields = [] } = props;
  const { isBusy, failure, note: [note, setNote] = [''], isEmpty = false } = props;
  const { onConfirm, onClose, children } = props;
  const isCollision = failure?.isCollision === true;
  useCloseAtEnd(isBusy || failure !== undefined, onClose);
  const noteProblem = noteViolation(note);
  const button = {
    isDisabled: isBusy || ((isEmpty || noteProblem !== undefined) && !isCollision),
    isLoading: isBusy,
    onClick: () => onConfirm({ recoverCounter: isCollision, ...(note === '' ? {} : { changeNote: note }) }),
  };
  return (
    <Dialog
      id="review"
      title={title}
      variant="medium"
      isBusy={isBusy}
      onClose={onClose}
      buttons={
        <>
          <Button {...button} variant={isCollision ? 'warning' : 'primary'}>
            {isCollision ? 'Recover and save' : confirm}
          </Button>
          <Button variant="link" isDisabled={isBusy} onClick={onClose}>
            Back
          </Button>
        </>
      }
    >
      {children}
      {changes.length > 0 ? (
        <KeyChanges
          changes={changes}
          before="Now"
          after="After"
          selection={changes.length > 1 ? selection : undefined}
        />
      ) : (
        <p>{unchanged}</p>
      )}
      {fields.length > 0 && <FieldChanges fields={fields} />}
      {setNote !== undefined && (
        <TextField
          id="change-note"
          label="Note (optional)"
          value={note}
          placeholder="why, for the history"
          problem={noteProblem && `The note ${noteProblem}.`}
          className="form-end"
          onChange={setNote}
        />
      )}
      {isCollision && <Collision />}
      {failure !== undefined && !isCollision && <SaveFailure {...props} failure={failure} />}
    </Dialog>
  );
}

/** The notice that the session has ended takes its place, unless that would hide what became of a write. */
function useCloseAtEnd(hasSent: boolean, onClose: () => void): void {
  const { isEnded } = useSessionWatch();
  useEffect(() => {
    if (isEnded && !hasSent) onClose();
  }, [isEnded, hasSent, onClose]);
}

function Collision() {
  return (
    <Alert
      isInline
      isLiveRegion
      variant="warning"
      component="h2"
      title="The history already has this version number"
    >
      <p>
        Nothing was changed. The history already has something else under the number that this save would
        archive. This happens when the version counter is reset with kubectl, or when a save was interrupted
        and the Secret was then changed outside the service.
      </p>
      <p>
        An administrator should look at the history first. Recovering moves the counter past the newest
        archived version, so nothing archived is overwritten. Only administrators can do it.
      </p>
    </Alert>
  );
}

function FieldChanges({ fields }: { readonly fields: readonly FieldChange[] }) {
  return (
    <Facts
      label="Description and access"
      facts={fields.map(({ label, before, after }) => ({
        term: label,
        description:
          before === undefined ? (
            orNone(after)
          ) : (
            <>
              <del dir="auto">{orNone(before)}</del> <ins dir="auto">{orNone(after)}</ins>
            </>
          ),
      }))}
    />
  );
}

export interface Failure {
  readonly error: unknown;
  /** The Secret was read afterwards: it shows nothing of the save. */
  readonly confirmedNotSaved?: boolean;
  /** The version is archived already with another content; only an admin can go on. */
  readonly isCollision?: boolean;
}

export interface SaveFailureProps {
  readonly failure: Failure;
  /** What a failure is called, when the outcome is open and when it is not. */
  readonly failureTitles?: { readonly unknown: string; readonly failed: string };
  /** What to do about the error. */
  readonly remedy?: ReactNode;
}

const SAVE_TITLES = { unknown: 'It may or may not have been saved', failed: "Couldn't save" };

/** Why a save failed, and whether it may have been done all the same. */
export function SaveFailure({ failure, failureTitles = SAVE_TITLES, remedy }: SaveFailureProps) {
  const { error, confirmedNotSaved = false } = failure;
  const unknown = outcomeIsUnknown(error, confirmedNotSaved);
  return (
    <ProblemAlert
      title={unknown ? failureTitles.unknown : failureTitles.failed}
      error={error}
      advice={unknown ? 'You can safely try again: a newer version is never overwritten.' : undefined}
      actions={remedy}
    />
  );
}

/** Which keys a reviewed write is for: at first all. */
export function useKeySelection(label: string): KeySelection {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  return {
    label,
    has: (key) => !left.has(key),
    toggle: (key) =>
      setLeft((old) => new Set(old.has(key) ? [...old].filter((one) => one !== key) : [...old, key])),
  };
}
