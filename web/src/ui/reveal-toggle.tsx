import EyeIcon from '@patternfly/react-icons/dist/esm/icons/eye-icon';
import EyeSlashIcon from '@patternfly/react-icons/dist/esm/icons/eye-slash-icon';
import { IconButton } from './icon-button.tsx';

export interface RevealToggleProps {
  readonly shown: boolean;
  /** What is revealed, for the button's name: the key, never the value. */
  readonly of: string;
  /** What it does while the value is hidden. */
  readonly reveal?: string;
  readonly onShow: (shown: boolean) => void;
}

/** Shows a value or hides it. Its name says what it does next; a pressed state beside it would say the opposite. */
export function RevealToggle({ shown, of, reveal = 'Reveal', onShow }: RevealToggleProps) {
  const label = `${shown ? 'Hide' : reveal} ${of}`;
  return (
    <IconButton label={label} icon={shown ? <EyeSlashIcon /> : <EyeIcon />} onClick={() => onShow(!shown)} />
  );
}
