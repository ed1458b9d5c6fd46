import OutlinedStarIcon from '@patternfly/react-icons/dist/esm/icons/outlined-star-icon';
import StarIcon from '@patternfly/react-icons/dist/esm/icons/star-icon';
import type { SecretRef } from '../../api/secrets-api.ts';
import { useSecretStar } from '../../places/use-places.ts';
import { IconButton } from '../../ui/icon-button.tsx';

interface StarButtonProps {
  readonly secret: SecretRef;
  /** Called before the change, which may move the button. */
  readonly onToggle?: () => void;
}

/** Gives a Secret a star, or takes it away. */
export function StarButton({ secret, onToggle }: StarButtonProps) {
  const { isStarred, label, toggle } = useSecretStar(secret);
  const icon = isStarred ? <StarIcon className="star" /> : <OutlinedStarIcon />;
  const onClick = () => {
    onToggle?.();
    toggle();
  };
  return <IconButton {...{ label, icon, onClick }} aria-pressed={isStarred} />;
}
