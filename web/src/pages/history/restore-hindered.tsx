import { Alert, Button, Modal, ModalBody, ModalFooter, ModalHeader, Spinner } from '@patternfly/react-core';
import { messageOf, RequestId } from '../../shell/problem.tsx';

/** Why a restore cannot be reviewed yet. */
export type Hindrance =
  { readonly kind: 'loading' } | { readonly kind: keyof typeof WORDS; readonly error: unknown };

const WORDS = {
  version: {
    title: 'The version could not be read',
    advice: 'Without it nobody can see what a restore would change, so nothing can be restored yet.',
    again: 'Try again',
  },
  live: {
    title: 'The live values could not be read',
    advice: 'Without them nobody can see what a restore would change, so nothing can be restored yet.',
    again: 'Try again',
  },
  stale: {
    title: 'This Secret has changed since you opened it',
    advice: 'Nothing was restored, so that you do not overwrite what you have not seen.',
    again: 'Reload and look again',
  },
  replaced: {
    title: 'This version is another one than the one you looked at',
    advice: 'Nothing was restored, since it would bring back values that you have not seen.',
    again: 'Reload and look again',
  },
} as const;

export interface RestoreHinderedProps {
  readonly title: string;
  /** Undefined: nothing is known yet. */
  readonly hindrance: Hindrance | undefined;
  readonly onAgain: () => void;
  readonly onClose: () => void;
}

/** Stands where the review would be. */
export function RestoreHindered({ title, hindrance, onAgain, onClose }: RestoreHinderedProps) {
  const loading = hindrance === undefined || hindrance.kind === 'loading';
  return (
    <Modal isOpen variant="medium" onClose={onClose} aria-labelledby="hindered-title">
      <ModalHeader title={title} labelId="hindered-title" />
      <ModalBody>
        {loading ? (
          <div className="loading">
            <Spinner aria-label="Loading what would change" />
          </div>
        ) : (
          <Alert isInline isLiveRegion variant="danger" component="h2" title={WORDS[hindrance.kind].title}>
            <p>{messageOf(hindrance.error)}.</p>
            <p>{WORDS[hindrance.kind].advice}</p>
            <RequestId error={hindrance.error} />
          </Alert>
        )}
      </ModalBody>
      <ModalFooter>
        {loading ? (
          <Button isDisabled>Restore</Button>
        ) : (
          <Button onClick={onAgain}>{WORDS[hindrance.kind].again}</Button>
        )}
        <Button variant="link" onClick={onClose}>
          Back
        </Button>
      </ModalFooter>
    </Modal>
  );
}
