import { Button, Modal, ModalBody, ModalFooter, ModalHeader } from '@patternfly/react-core';
import { useQueryClient } from '@tanstack/react-query';
import type { SessionUser } from '../api/secrets-api.ts';
import { useUnsavedEdits } from '../ui/unsaved-edits.ts';
import { SignInLink } from './sign-in-link.tsx';

export interface OtherUserProps {
  readonly user: SessionUser;
  readonly owner: SessionUser;
}

/** Stands before a page of someone else; there is no way past it but to be its owner, or to give it up. */
export function OtherUser({ user, owner }: OtherUserProps) {
  const edits = useUnsavedEdits();
  const queries = useQueryClient();
  const discard = () => {
    edits.forget();
    queries.clear();
    window.location.reload();
  };
  return (
    <Modal
      isOpen
      variant="small"
      className="other-user"
      aria-labelledby="other-user-title"
      aria-describedby="other-user-body"
    >
      <ModalHeader title="This page belongs to somebody else" labelId="other-user-title" />
      <ModalBody id="other-user-body">
        <p role="status">
          You are signed in as {user.email}; this page was {owner.email}&apos;s. Nothing of it is shown, and
          nothing can be saved, until {owner.email} signs in again.
        </p>
      </ModalBody>
      <ModalFooter>
        <SignInLink>Sign in as {owner.email}</SignInLink>
        <Button variant="danger" onClick={discard}>
          Discard and reload
        </Button>
      </ModalFooter>
    </Modal>
  );
}
