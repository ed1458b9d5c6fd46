import { Button, Modal, ModalBody, ModalFooter, ModalHeader } from '@patternfly/react-core';
import { useEffect } from 'react';
import { useBlocker } from 'react-router';

/** Asks before unsaved edits are left behind, by a link or by closing the tab. */
export function LeaveGuard({ unsaved }: { readonly unsaved: () => boolean }) {
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    return unsaved() && currentLocation.pathname !== nextLocation.pathname;
  });
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (unsaved()) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [unsaved]);
  if (blocker.state !== 'blocked') return null;
  const stay = () => blocker.reset();
  return (
    <Modal isOpen variant="small" onClose={stay} aria-labelledby="leave-title">
      <ModalHeader title="Leave without saving?" labelId="leave-title" />
      <ModalBody>What you have changed here is lost when you leave.</ModalBody>
      <ModalFooter>
        <Button onClick={stay}>Stay</Button>
        <Button variant="danger" onClick={() => blocker.proceed()}>
          Leave
        </Button>
      </ModalFooter>
    </Modal>
  );
}
