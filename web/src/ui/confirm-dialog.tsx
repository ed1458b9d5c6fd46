import { Button } from '@patternfly/react-core';
import { useState, type ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { TextField } from './text-field.tsx';

export interface ConfirmDialogProps {
  readonly id: string;
  readonly title: string;
  readonly variant?: 'small' | 'medium';
  /** To be typed before something is deleted. */
  readonly word?: string;
  /** What the button says that begins. */
  readonly action: string;
  readonly isReady?: boolean;
  readonly isBusy: boolean;
  readonly onConfirm: () => void;
  /** What has not been sent yet can be left out. */
  readonly onStop?: (() => void) | undefined;
  readonly onClose: () => void;
  /** Why it did not work, in place of the question. */
  readonly failure?: ReactNode;
  readonly canRetry?: boolean;
  readonly children: ReactNode;
}

/** Confirms first. What has been sent cannot be called back, so it waits for that, and stays for what did not work. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { id, title, variant = 'small', word, isBusy, onConfirm, onClose, failure, children } = props;
  const [typed, setTyped] = useState('');
  const isReady = props.isReady !== false && !isBusy && (word === undefined || typed === word);
  return (
    <Dialog
      {...{ id, title, variant, isBusy, onClose }}
      isDanger={word !== undefined}
      isDescribed={word !== undefined}
      buttons={<Buttons {...props} isReady={isReady} />}
    >
      {failure ?? children}
      {word !== undefined && failure === undefined && (
        <TextField
          id={`${id}-word`}
          label={`Type ${word} to confirm`}
          value={typed}
          onChange={setTyped}
          onKeyDown={({ key }) => {
            if (key === 'Enter' && isReady) onConfirm();
          }}
        />
      )}
    </Dialog>
  );
}

function Buttons(props: ConfirmDialogProps) {
  const { word, action, isReady, isBusy, onConfirm, onStop, onClose, failure, canRetry = true } = props;
  const hasFailed = failure !== undefined;
  return (
    <>
      {(!hasFailed || canRetry) && (
        <Button
          variant={word === undefined ? 'primary' : 'danger'}
          isDisabled={isReady !== true}
          isLoading={isBusy}
          onClick={onConfirm}
        >
          {hasFailed ? 'Try again' : action}
        </Button>
      )}
      {isBusy && onStop !== undefined ? (
        <Button variant="secondary" onClick={onStop}>
          Stop
        </Button>
      ) : (
        <Button variant="link" isDisabled={isBusy} onClick={onClose}>
          {hasFailed ? 'Close' : 'Cancel'}
        </Button>
      )}
    </>
  );
}
