import { Badge, Nav, NavItem, NavList, Skeleton } from '@patternfly/react-core';
import StarIcon from '@patternfly/react-icons/dist/esm/icons/star-icon';
import { Link, useLocation } from 'react-router';
import { useNamespaces } from '../api/queries.ts';
import { activityPath, deletedPath, expiringPath, listPath, useNamespaceInAddress } from '../paths.ts';
import { inOrderOfUse, withoutRecent } from '../places/places.ts';
import { usePlaces } from '../places/use-places.ts';
import { useCount, useDeletedCount, useExpiringCount } from './counts.ts';
import { useLater } from '../ui/use-later.ts';

/** More of them are in the switcher, where they can be searched. */
const MAX_SHOWN = 30;

/** The first. Each is a request, answered from the service's memory. */
const MOST_COUNTED = 8;
/** What is counted comes after what is shown. */
const AFTER_SCREEN_MS = 1_000;

/** The namespaces beside every screen. Those that are starred come first; a visit changes no order. */
export function NamespaceNav() {
  const { pathname } = useLocation();
  const current = useNamespaceInAddress();
  const { data, isPending } = useNamespaces();
  const { places } = usePlaces();
  const known = data?.map(({ name }) => name) ?? [];
  // The namespace of the screen is there before the others are known.
  const named = current === undefined || known.includes(current) ? known : [...known, current];
  const names = inOrderOfUse(named, withoutRecent(places));
  const shown = names.filter((name, index) => index < MAX_SHOWN || name === current);
  const isLater = useLater(AFTER_SCREEN_MS);
  return (
    <Nav aria-label="Navigation">
      <NavList>
        <NavItem isActive={pathname === '/'}>
          <Link to="/">All namespaces</Link>
        </NavItem>
        {shown.map((name, index) => (
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
      <NavList aria-label="Views" className="nav-views">
        <Item to={expiringPath} text="Expiring" count={useExpiringCount(isLater)} />
        {current !== undefined && <Item to={activityPath(current)} text="Activity" />}
        {current !== undefined && <DeletedItem namespace={current} />}
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

function NamespaceItem({ name, isCounted, ...item }: NamespaceItemProps) {
  return <Item {...item} to={listPath(name)} text={name} count={useCount(name, isCounted)} />;
}

function DeletedItem({ namespace }: { readonly namespace: string }) {
  return <Item to={deletedPath(namespace)} text="Deleted" count={useDeletedCount(namespace)} />;
}

interface ItemProps {
  readonly to: string;
  readonly text: string;
  /** Whether it is of the namespace of the screen. Left out: whether it is the screen. */
  readonly isCurrent?: boolean;
  readonly isStarred?: boolean;
  /** Of Secrets. */
  readonly count?: string | undefined;
}

function Item({ to, text, isCurrent, isStarred = false, count }: ItemProps) {
  const { pathname } = useLocation();
  return (
    <NavItem isActive={isCurrent ?? pathname === to}>
      <Link to={to} className="nav-namespace" ref={isCurrent === true ? bringIntoSight : null}>
        {isStarred && <StarIcon title="Starred" className="star" />}
        <span className="nav-name" title={text}>
          {text}
        </span>
        {count !== undefined && (
          <Badge isRead screenReaderText=" Secrets">
            {count}
          </Badge>
        )}
      </Link>
    </NavItem>
  );
}

function bringIntoSight(element: Element | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}
