import { Modal, ModalBody, ModalFooter, ModalHeader } from '@patternfly/react-core';
import type { ReactNode } from 'react';
import { SlowWrite } from './slow.tsx';

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
