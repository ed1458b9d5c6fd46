import { Alert, Button, Modal, ModalBody, ModalFooter, ModalHeader } from '@patternfly/react-core';
import type { ReactNode } from 'react';
import { ApiError } from '../../api/wire.ts';
import { KeyChanges } from '../../components/key-changes.tsx';
import type { KeyChange } from '../../editing/changes.ts';
import { messageOf, RequestId } from '../../shell/problem.tsx';

export interface FieldChange {
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

export interface ReviewDialogProps {
  readonly title: string;
  readonly confirm: string;
  readonly changes: readonly KeyChange[];
  readonly fields?: readonly FieldChange[];
  readonly busy: boolean;
  readonly error: unknown;
  /** The version is archived already with another content; only an admin can go on. */
  readonly collision: boolean;
  readonly onConfirm: (recoverCounter: boolean) => void;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/** What is about to happen, key by key, before it happens. */
export function ReviewDialog(props: ReviewDialogProps) {
  const {
    title,
    confirm,
    changes,
    fields = [],
    busy,
    error,
    collision,
    onConfirm,
    onClose,
    children,
  } = props;
  return (
    <Modal isOpen variant="medium" onClose={onClose} aria-labelledby="review-title">
      <ModalHeader title={title} labelId="review-title" />
      <ModalBody>
        {children}
        {changes.length > 0 ? (
          <KeyChanges changes={changes} before="Now" after="Then" />
        ) : (
          <p>No value changes.</p>
        )}
        {fields.length > 0 && <FieldChanges fields={fields} />}
        {collision && <Collision />}
        {error !== undefined && !collision && (
          <Alert isInline isLiveRegion variant="danger" component="h2" title="It could not be saved">
            <p>{messageOf(error)}.</p>
            {error instanceof ApiError && error.status === 401 && (
              <p>Go back and sign in again: what you have typed stays where it is.</p>
            )}
            <RequestId error={error} />
          </Alert>
        )}
      </ModalBody>
      <ModalFooter>
        {collision ? (
          <Button variant="warning" isDisabled={busy} isLoading={busy} onClick={() => onConfirm(true)}>
            I have reviewed it: recover and save
          </Button>
        ) : (
          <Button isDisabled={busy} isLoading={busy} onClick={() => onConfirm(false)}>
            {confirm}
          </Button>
        )}
        <Button variant="link" onClick={onClose}>
          Back
        </Button>
      </ModalFooter>
    </Modal>
  );
}

function FieldChanges({ fields }: { readonly fields: readonly FieldChange[] }) {
  return (
    <dl className="facts wide" aria-label="Description and access">
      {fields.map(({ label, before, after }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <del>{before === '' ? 'none' : before}</del> <ins>{after === '' ? 'none' : after}</ins>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Collision() {
  return (
    <Alert
      isInline
      isLiveRegion
      variant="warning"
      component="h2"
      title="This version number is taken in the history"
    >
      <p>
        Nothing was changed. The history holds another state under the number that this save would archive.
        That happens when somebody reset the version counter with kubectl, or when an earlier save was
        interrupted and the Secret was changed outside of this service afterwards.
      </p>
      <p>
        An administrator should look at the history first. Recovering moves the counter past the newest
        archived version, so that nothing archived is overwritten; the service allows it to administrators
        only.
      </p>
    </Alert>
  );
}
