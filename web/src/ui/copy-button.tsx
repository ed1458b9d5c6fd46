import CheckIcon from '@patternfly/react-icons/dist/esm/icons/check-icon';
import CopyIcon from '@patternfly/react-icons/dist/esm/icons/copy-icon';
import { IconButton } from './icon-button.tsx';
import { useFading } from './use-fading.ts';
import { copyText } from './copy-text.ts';
import { whyUnread } from '../api/unread-value.ts';

const SHOWN_MS = 3_000;

export interface CopyButtonProps {
  /** A value that is here, or how it is read. */
  readonly value: string | (() => Promise<string>);
  readonly of: string;
}

/** Copies a value without showing it. */
export function CopyButton({ value, of }: CopyButtonProps) {
  /** Empty once it is copied, or why it is not. */
  const [problem, setProblem] = useFading<string>(SHOWN_MS);
  const copy = () => {
    copyText(value).then(
      () => setProblem(''),
      (error: unknown) => setProblem(whyUnread(error)),
    );
  };
  const isCopied = problem === '';
  return (
    <>
      <IconButton label={`Copy ${of}`} icon={isCopied ? <CheckIcon /> : <CopyIcon />} onClick={copy} />
      <span role="status" className={isCopied || problem === undefined ? 'pf-v6-screen-reader' : 'copy-note'}>
        {isCopied ? `${of} is copied` : problem}
      </span>
    </>
  );
}
