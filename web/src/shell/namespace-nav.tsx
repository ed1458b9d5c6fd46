import { Badge, Nav, NavItem, NavList, Skeleton } from '@patternfly/react-core';
import StarIcon from '@patternfly/react-icons/dist/esm/icons/star-icon';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { Link, useLocation } from 'react-router';
import { useNamespaces } from '../api/queries.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { SecretList } from '../api/secrets-api.ts';
import { listPath } from '../paths.ts';
import { inOrderOfUse } from '../places/places.ts';
import { usePlaces } from '../places/use-places.ts';
import { formatNumber } from '../values/format.ts';
import { FRAME_WORDS, NAMESPACE_WORDS } from '../words/frame.ts';
import { useNamespaceInAddress } from './address.ts';

/** More of them are in the switcher, where they can be searched. */
const MAX_SHOWN = 30;

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
  return (
    <Nav aria-label={FRAME_WORDS.navigation}>
      <NavList>
        <NavItem isActive={pathname === '/'}>
          <Link to="/">{NAMESPACE_WORDS.all}</Link>
        </NavItem>
        {all.map((name) => (
          <NamespaceItem
            key={name}
            name={name}
            isCurrent={name === current}
            isStarred={places.starred.includes(name)}
          />
        ))}
        {isPending && (
          <li>
            <Skeleton screenreaderText={NAMESPACE_WORDS.loading} />
          </li>
        )}
      </NavList>
    </Nav>
  );
}

interface NamespaceItemProps {
  readonly name: string;
  readonly isCurrent: boolean;
  readonly isStarred: boolean;
}

function NamespaceItem({ name, isCurrent, isStarred }: NamespaceItemProps) {
  const count = useLoadedCount(name);
  return (
    <NavItem isActive={isCurrent}>
      <Link to={listPath(name)} className="nav-namespace">
        {isStarred && <StarIcon title={NAMESPACE_WORDS.starred} className="star" />}
        <span className="nav-name" title={name}>
          {name}
        </span>
        {count !== undefined && (
          <Badge isRead screenReaderText={` ${NAMESPACE_WORDS.secrets}`}>
            {formatNumber(count)}
          </Badge>
        )}
      </Link>
    </NavItem>
  );
}

/** How many Secrets the list had when it was loaded last in this tab; nothing is requested or kept for it. */
function useLoadedCount(namespace: string): number | undefined {
  const queries = useQueryClient();
  const subscribe = useCallback(
    (listener: () => void) => queries.getQueryCache().subscribe(listener),
    [queries],
  );
  return useSyncExternalStore(
    subscribe,
    () => queries.getQueryData<SecretList>(queryKeys.list(namespace))?.secrets.length,
  );
}
