import { Alert, Button, Modal, ModalBody, ModalFooter, ModalHeader, Spinner } from '@patternfly/react-core';
import { messageOf, RequestId } from '../../ui/problem.tsx';
import { COMMON_WORDS } from '../../words/common.ts';
import { RESTORE_BLOCKED_WORDS } from '../../words/history.ts';

/** Why a restore cannot be reviewed yet. */
export type RestoreBlock =
  { readonly kind: 'loading' } | { readonly kind: keyof typeof WORDS; readonly error: unknown };

const WORDS = {
  version: {
    title: RESTORE_BLOCKED_WORDS.noVersion,
    advice: RESTORE_BLOCKED_WORDS.noVersionAdvice,
    again: COMMON_WORDS.tryAgain,
  },
  live: {
    title: RESTORE_BLOCKED_WORDS.noLive,
    advice: RESTORE_BLOCKED_WORDS.noLiveAdvice,
    again: COMMON_WORDS.tryAgain,
  },
  stale: {
    title: RESTORE_BLOCKED_WORDS.changed,
    advice: RESTORE_BLOCKED_WORDS.nothingRestored,
    again: COMMON_WORDS.reload,
  },
  unclear: {
    title: RESTORE_BLOCKED_WORDS.changed,
    advice: RESTORE_BLOCKED_WORDS.maybeRestored,
    again: COMMON_WORDS.reload,
  },
  replaced: {
    title: RESTORE_BLOCKED_WORDS.versionChanged,
    advice: RESTORE_BLOCKED_WORDS.nothingRestored,
    again: COMMON_WORDS.reload,
  },
} as const;

export interface RestoreBlockedProps {
  readonly title: string;
  /** Undefined: the states are still being loaded. */
  readonly block: RestoreBlock | undefined;
  readonly onAgain: () => void;
  readonly onClose: () => void;
}

/** Takes the place of the review. */
export function RestoreBlocked({ title, block, onAgain, onClose }: RestoreBlockedProps) {
  const loading = block === undefined || block.kind === 'loading';
  return (
    <Modal isOpen variant="medium" onClose={onClose} aria-labelledby="blocked-title">
      <ModalHeader title={title} labelId="blocked-title" />
      <ModalBody className="dialog-body">
        {loading ? (
          <div className="loading">
            <Spinner aria-label={RESTORE_BLOCKED_WORDS.loading} />
          </div>
        ) : (
          <Alert isInline isLiveRegion variant="danger" component="h2" title={WORDS[block.kind].title}>
            <p>{messageOf(block.error)}.</p>
            <p>{WORDS[block.kind].advice}</p>
            <RequestId error={block.error} />
          </Alert>
        )}
      </ModalBody>
      <ModalFooter>
        {loading ? (
          <Button isDisabled>{RESTORE_BLOCKED_WORDS.restore}</Button>
        ) : (
          <Button onClick={onAgain}>{WORDS[block.kind].again}</Button>
        )}
        <Button variant="link" onClick={onClose}>
          {COMMON_WORDS.back}
        </Button>
      </ModalFooter>
    </Modal>
  );
}
