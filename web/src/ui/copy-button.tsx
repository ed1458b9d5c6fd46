import CheckIcon from '@patternfly/react-icons/dist/esm/icons/check-icon';
import CopyIcon from '@patternfly/react-icons/dist/esm/icons/copy-icon';
import { IconButton } from './icon-button.tsx';
import { useDone } from './done-note.tsx';

const SHOWN_MS = 3_000;

export interface CopyButtonProps {
  /** A value that is here, or how it is read. */
  readonly value: string | (() => Promise<string>);
  readonly of: string;
}

/** Copies a value without showing it. */
export function CopyButton({ value, of }: CopyButtonProps) {
  const { note, copy } = useDone(SHOWN_MS);
  const icon = note?.isProblem === false ? <CheckIcon /> : <CopyIcon />;
  return (
    <>
      <IconButton label={`Copy ${of}`} icon={icon} onClick={() => copy(value, `${of} is copied`)} />
      <span role="status" className={note?.isProblem === true ? 'copy-note' : 'pf-v6-screen-reader'}>
        {note?.text}
      </span>
    </>
  );
}
