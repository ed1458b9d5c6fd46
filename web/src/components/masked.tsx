import { Button } from '@patternfly/react-core';
import EyeIcon from '@patternfly/react-icons/dist/esm/icons/eye-icon';
import EyeSlashIcon from '@patternfly/react-icons/dist/esm/icons/eye-slash-icon';
import { useReveal } from './use-reveal.ts';

/** The same for every value, so that not even its length shows. */
export const MASK = '••••••••';

/** What is read out in place of the dots. */
export function Mask() {
  return (
    <span className="mask">
      <span aria-hidden="true">{MASK}</span>
      <span className="pf-v6-screen-reader">hidden</span>
    </span>
  );
}

export interface RevealButtonProps {
  readonly shown: boolean;
  /** What is revealed, for the button's name: the key, never the value. */
  readonly of: string;
  readonly onClick: () => void;
}

export function RevealButton({ shown, of, onClick }: RevealButtonProps) {
  const label = shown ? `Hide ${of}` : `Reveal ${of}`;
  return (
    <Button
      variant="plain"
      aria-label={label}
      title={label}
      aria-pressed={shown}
      icon={shown ? <EyeSlashIcon /> : <EyeIcon />}
      onClick={onClick}
    />
  );
}

export interface MaskedProps {
  /** Undefined: the key is not there. */
  readonly value: string | undefined;
  readonly of: string;
}

/** One value that hides until it is wanted. */
export function Masked({ value, of }: MaskedProps) {
  const { shown, toggle } = useReveal();
  if (value === undefined) return <span className="absent">not there</span>;
  return (
    <span className="masked">
      {shown ? <code className="value">{value === '' ? '(empty)' : value}</code> : <Mask />}
      <RevealButton shown={shown} of={of} onClick={toggle} />
    </span>
  );
}
