import SyncAltIcon from '@patternfly/react-icons/dist/esm/icons/sync-alt-icon';
import { IconButton } from './icon-button.tsx';

export interface ReloadButtonProps {
  /** What it does, for its accessible name: "Refresh the list". Its first word is the tooltip. */
  readonly label: string;
  readonly busy?: boolean;
  readonly onClick: () => void;
}

/** Reads again what a page shows. */
export function ReloadButton({ label, busy = false, onClick }: ReloadButtonProps) {
  return (
    <IconButton
      label={label}
      title={label.split(' ', 1)[0]}
      icon={<SyncAltIcon />}
      // The button that has the focus keeps it, which one that is disabled does not.
      isAriaDisabled={busy}
      onClick={onClick}
    />
  );
}
