import { Modal, ModalBody, ModalFooter, ModalHeader, Button } from '@patternfly/react-core';
import type { ReactNode } from 'react';
import { SlowWrite } from './slow.tsx';
import { useEscape } from './use-escape.ts';

interface DialogProps {
  /** What the ids of its parts begin with. */
  readonly id: string;
  readonly title: string;
  readonly variant?: 'small' | 'medium';
  readonly isDanger?: boolean;
  /** Whether the body is short enough to be read out with the title. */
  readonly isDescribed?: boolean;
  /** Whether something was sent. It cannot be called back, so the dialog stays until the outcome is known. */
  readonly isBusy?: boolean;
  readonly buttons: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function Dialog(props: DialogProps) {
  const { id, title, variant = 'small', isDanger = false, isDescribed = false } = props;
  const { isBusy, buttons, onClose, children } = props;
  return (
    <Modal
      isOpen
      variant={variant}
      aria-labelledby={`${id}-title`}
      {...(isDescribed ? { 'aria-describedby': `${id}-body` } : {})}
      onClose={() => {
        if (isBusy !== true) onClose();
      }}
    >
      <ModalHeader
        title={title}
        labelId={`${id}-title`}
        {...(isDanger ? { titleIconVariant: 'danger' as const } : {})}
      />
      <ModalBody className="dialog-body" {...(isDescribed ? { id: `${id}-body` } : {})}>
        {children}
        {isBusy !== undefined && <SlowWrite isBusy={isBusy} />}
      </ModalBody>
      <ModalFooter>{buttons}</ModalFooter>
    </Modal>
  );
}

interface QuestionProps {
  readonly title: string;
  readonly body: string;
  /** What goes on: never "Cancel", which may be read as giving up what was typed. */
  readonly stay: string;
  /** Without it there is nothing to do but to stay. */
  readonly go?: string;
  readonly onStay: () => void;
  readonly onGo: () => void;
}

/** Confirms before something is lost; the harmless choice comes first. */
export function Question({ title, body, stay, go, onStay, onGo }: QuestionProps) {
  useEscape(true, onStay);
  return (
    <Dialog
      id="question"
      title={title}
      isDescribed
      onClose={onStay}
      buttons={
        <>
          <Button onClick={onStay}>{stay}</Button>
          {go !== undefined && (
            <Button variant="secondary" isDanger onClick={onGo}>
              {go}
            </Button>
          )}
        </>
      }
    >
      <p role="status">{body}</p>
    </Dialog>
  );
}
