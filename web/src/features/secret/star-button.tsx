import OutlinedStarIcon from '@patternfly/react-icons/dist/esm/icons/outlined-star-icon';
import StarIcon from '@patternfly/react-icons/dist/esm/icons/star-icon';
import type { SecretRef } from '../../api/secrets-api.ts';
import { useSecretStar } from '../../places/use-places.ts';
import { IconButton } from '../../ui/icon-button.tsx';

/** Gives a Secret a star, or takes it away. */
export function StarButton({ secret }: { readonly secret: SecretRef }) {
  const { isStarred, label, toggle } = useSecretStar(secret);
  const icon = isStarred ? <StarIcon className="star" /> : <OutlinedStarIcon />;
  return <IconButton {...{ label, icon }} aria-pressed={isStarred} onClick={toggle} />;
}
