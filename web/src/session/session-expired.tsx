import { useRef } from 'react';
import { Button, Modal, ModalBody, ModalFooter, ModalHeader } from '@patternfly/react-core';
import { useMe } from '../api/queries.ts';
import { useDirtyForms } from '../ui/dirty-forms.ts';
import { useEscape } from '../ui/use-escape.ts';
import { useHiddenBehind } from '../ui/use-hidden-behind.ts';
import { OtherUser } from './other-user.tsx';
import { SESSION_COVER, usePageHidden } from './page-hidden.ts';
import { SignInLink } from './sign-in-link.tsx';
import { useSessionCheck } from './use-session-check.ts';

/** Covers the page when the session is over: what was typed is kept behind it, and continues after signing in again. */
export function SessionExpired() {
  const { isEnded, result, check } = useSessionCheck();
  const { data: owner } = useMe();
  if (!isEnded) return null;
  if (typeof result === 'string') {
    return <Notice isStillEnded={result === 'noSession'} onCheck={() => void check()} />;
  }
  return owner === undefined ? null : <OtherUser user={result.otherUser} owner={owner} />;
}

interface NoticeProps {
  readonly isStillEnded: boolean;
  readonly onCheck: () => void;
}

function Notice({ isStillEnded, onCheck }: NoticeProps) {
  const edits = useDirtyForms();
  const text = useRef<HTMLParagraphElement>(null);
  useEscape(true, stay);
  useHiddenBehind(text);
  usePageHidden();
  return (
    <Modal
      isOpen
      variant="small"
      backdropClassName={SESSION_COVER}
      aria-labelledby="session-title"
      aria-describedby="session-body"
    >
      <ModalHeader title="Your session has ended" labelId="session-title" titleIconVariant="warning" />
      <ModalBody className="dialog-body" id="session-body">
        <p ref={text}>{edits.any() ? 'What you typed is kept. ' : ''}Sign in again to continue here.</p>
        <p role="status">{isStillEnded ? 'There is no new session yet.' : ''}</p>
      </ModalBody>
      <ModalFooter className="session-actions">
        <SignInLink>Sign in in a new tab</SignInLink>
        <Button variant="secondary" onClick={onCheck}>
          Continue
        </Button>
      </ModalFooter>
    </Modal>
  );
}

/** There is no way past it but to sign in. */
function stay(): void {
  // The key is handled by doing nothing: a dialog below must not take it.
}
