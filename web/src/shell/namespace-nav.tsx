import { Badge, Divider, Nav, NavItem, NavList, Skeleton } from '@patternfly/react-core';
import StarIcon from '@patternfly/react-icons/dist/esm/icons/star-icon';
import { Link, useLocation } from 'react-router';
import { useNamespaces } from '../api/queries.ts';
import { listPath, useNamespaceInAddress } from '../paths.ts';
import { inOrderOfUse } from '../places/places.ts';
import { usePlaces } from '../places/use-places.ts';
import { formatNumber } from '../values/format.ts';
import { useCount } from './counts.ts';
import { ViewItems } from './view-items.tsx';
import { useLater } from '../ui/use-later.ts';

/** More of them are in the switcher, where they can be searched. */
const MAX_SHOWN = 30;

/** The first, which are starred or were used last. Each is a request, answered from the service's memory. */
const MOST_COUNTED = 8;
/** What is counted comes after what is shown. */
const AFTER_SCREEN_MS = 1_000;

/** The namespaces beside every screen; those that are starred and were used last come first. */
export function NamespaceNav() {
  const { pathname } = useLocation();
  const current = useNamespaceInAddress();
  const { data, isPending } = useNamespaces();
  const { places } = usePlaces();
  const names = inOrderOfUse(data?.map(({ name }) => name) ?? [], places);
  const shown = names.slice(0, MAX_SHOWN);
  // The namespace of the screen is there before the others are known.
  const all = current === undefined || shown.includes(current) ? shown : [current, ...shown];
  const isLater = useLater(AFTER_SCREEN_MS);
  return (
    <Nav aria-label="Navigation">
      <NavList>
        <NavItem isActive={pathname === '/'}>
          <Link to="/">All namespaces</Link>
        </NavItem>
        {all.map((name, index) => (
          <NamespaceItem
            key={name}
            name={name}
            isCurrent={name === current}
            isStarred={places.starred.includes(name)}
            isCounted={isLater && index < MOST_COUNTED}
          />
        ))}
        {isPending && (
          <li>
            <Skeleton screenreaderText="Loading namespaces…" />
          </li>
        )}
      </NavList>
      <Divider />
      <NavList aria-label="Views">
        <ViewItems namespace={current} isCounted={isLater} />
      </NavList>
    </Nav>
  );
}

interface NamespaceItemProps {
  readonly name: string;
  readonly isCurrent: boolean;
  readonly isStarred: boolean;
  /** Whether the number of its Secrets may be requested. */
  readonly isCounted: boolean;
}

function NamespaceItem({ name, isCurrent, isStarred, isCounted }: NamespaceItemProps) {
  const count = useCount(name, isCounted);
  return (
    <NavItem isActive={isCurrent}>
      <Link to={listPath(name)} className="nav-namespace">
        {isStarred && <StarIcon title="Starred" className="star" />}
        <span className="nav-name" title={name}>
          {name}
        </span>
        {count !== undefined && (
          <Badge isRead screenReaderText=" Secrets">
            {formatNumber(count)}
          </Badge>
        )}
      </Link>
    </NavItem>
  );
}
