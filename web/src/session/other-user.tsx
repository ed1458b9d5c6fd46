import { Button, Modal, ModalBody, ModalFooter, ModalHeader } from '@patternfly/react-core';
import { useQueryClient } from '@tanstack/react-query';
import type { SessionUser } from '../api/secrets-api.ts';
import { useDirtyForms } from '../ui/dirty-forms.ts';
import { SESSION_COVER, usePageHidden } from './page-hidden.ts';
import { SignInLink } from './sign-in-link.tsx';

export interface OtherUserProps {
  readonly user: SessionUser;
  readonly owner: SessionUser;
}

/** Stands before a page of someone else; there is no way past it but to be its owner, or to give it up. */
export function OtherUser({ user, owner }: OtherUserProps) {
  usePageHidden();
  const edits = useDirtyForms();
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
      backdropClassName={SESSION_COVER}
      aria-labelledby="other-user-title"
      aria-describedby="other-user-body"
    >
      <ModalHeader title="This page belongs to someone else" labelId="other-user-title" />
      <ModalBody className="dialog-body" id="other-user-body">
        <p role="status">
          You're signed in as {user.email}, but {owner.email} opened this page. Its content is hidden, and
          cannot be saved, until {owner.email} signs in again.
        </p>
      </ModalBody>
      <ModalFooter className="session-actions">
        <SignInLink>Sign in as {owner.email}</SignInLink>
        <Button variant="danger" onClick={discard}>
          Discard and reload
        </Button>
      </ModalFooter>
    </Modal>
  );
}
