import { Alert, Button } from '@patternfly/react-core';
import { useEffect, useState, type ReactNode } from 'react';
import { noteViolation } from '../../../../src/contract/text.ts';
import { KeyChanges, type KeySelection } from '../../ui/key-changes.tsx';
import type { KeyChange } from '../../editing/changes.ts';
import { useSessionWatch } from '../../api/session-watch.ts';
import { SaveFailure, type SaveFailureProps } from './save-failure.tsx';
import { orNone, type FieldChange } from '../../editing/fields.ts';
import { Facts } from '../../ui/facts.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { Dialog } from '../../ui/dialog.tsx';

/** What is said with a confirmation. */
export interface Confirmation {
  readonly recoverCounter: boolean;
  /** Left out: none. */
  readonly changeNote?: string;
}

export interface ReviewDialogProps extends SaveFailureProps {
  readonly title: string;
  readonly confirm: string;
  readonly changes: readonly KeyChange[];
  /** Of more keys than one, which the write is for; left out: all. */
  readonly selection?: KeySelection;
  /** Whether a note can be kept with the version. */
  readonly hasNote?: boolean;
  /** Nothing is left to confirm. */
  readonly isEmpty?: boolean;
  /** Said where no value changes. */
  readonly unchanged?: string;
  readonly fields?: readonly FieldChange[];
  /** A request that is on its way cannot be called back: until its outcome is known the dialog stays. */
  readonly isBusy: boolean;
  /** The version is archived already with another content; only an admin can go on. */
  readonly isCollision: boolean;
  readonly onConfirm: (confirmation: Confirmation) => void;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/** What is about to happen, key by key, before it happens. */
export function ReviewDialog(props: ReviewDialogProps) {
  const {
    title,
    changes,
    selection,
    unchanged = 'No value changes.',
    fields = [],
    isBusy,
    error,
    isCollision,
    hasNote = true,
    isEmpty = false,
    onConfirm,
    onClose,
    children,
  } = props;
  useCloseAtEnd(isBusy, onClose);
  const [note, setNote] = useState('');
  const noteProblem = noteViolation(note);
  const confirm = (recoverCounter: boolean) =>
    onConfirm({ recoverCounter, ...(note === '' ? {} : { changeNote: note }) });
  return (
    <Dialog
      id="review"
      title={title}
      variant="medium"
      isBusy={isBusy}
      onClose={onClose}
      buttons={<Buttons {...props} isEmpty={isEmpty || noteProblem !== undefined} onConfirm={confirm} />}
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
      {hasNote && (
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
      {error !== undefined && !isCollision && <SaveFailure {...props} />}
    </Dialog>
  );
}

/** The notice that the session has ended takes its place: of two dialogs, screen readers find one. */
function useCloseAtEnd(isBusy: boolean, onClose: () => void): void {
  const { isEnded } = useSessionWatch();
  useEffect(() => {
    if (isEnded && !isBusy) onClose();
  }, [isEnded, isBusy, onClose]);
}

interface ButtonsProps extends Pick<ReviewDialogProps, 'confirm' | 'isBusy' | 'isCollision' | 'onClose'> {
  readonly isEmpty: boolean;
  readonly onConfirm: (recoverCounter: boolean) => void;
}

function Buttons({ confirm, isBusy, isCollision, isEmpty, onConfirm, onClose }: ButtonsProps) {
  return (
    <>
      {isCollision ? (
        <Button variant="warning" isDisabled={isBusy} isLoading={isBusy} onClick={() => onConfirm(true)}>
          Recover and save
        </Button>
      ) : (
        <Button isDisabled={isBusy || isEmpty} isLoading={isBusy} onClick={() => onConfirm(false)}>
          {confirm}
        </Button>
      )}
      <Button variant="link" isDisabled={isBusy} onClick={onClose}>
        Back
      </Button>
    </>
  );
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
              <del>{orNone(before)}</del> <ins>{orNone(after)}</ins>
            </>
          ),
      }))}
    />
  );
}
