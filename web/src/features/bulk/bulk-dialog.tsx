import { Button, Modal, ModalBody, ModalFooter, ModalHeader } from '@patternfly/react-core';
import type { ReactNode } from 'react';
import type { SecretSummary } from '../../api/secrets-api.ts';
import { SlowWrite } from '../../ui/slow.tsx';
import type { BulkOutcome } from './bulk-job.ts';
import { BulkResults } from './bulk-results.tsx';

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
    <Modal
      isOpen
      variant="medium"
      onClose={() => {
        if (!isRunning) onClose();
      }}
      aria-labelledby="bulk-title"
      aria-describedby="bulk-body"
    >
      <ModalHeader
        title={title}
        labelId="bulk-title"
        {...(isDanger ? { titleIconVariant: 'danger' as const } : {})}
      />
      <ModalBody className="dialog-body" id="bulk-body">
        {outcomes === undefined ? (
          children
        ) : (
          <BulkResults secrets={secrets} outcomes={outcomes} done={done} />
        )}
        <SlowWrite isBusy={isRunning} />
      </ModalBody>
      <ModalFooter>
        <Buttons {...props} />
      </ModalFooter>
    </Modal>
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
