import { Badge, Nav, NavItem, NavList, Skeleton } from '@patternfly/react-core';
import StarIcon from '@patternfly/react-icons/dist/esm/icons/star-icon';
import { Link, useLocation } from 'react-router';
import { useNamespaces, useExpiring, useRead } from '../api/queries.ts';
import { activityPath, deletedPath, expiringPath, listPath, useNamespaceInAddress } from '../paths.ts';
import { inOrderOfUse, withoutRecent } from '../places/places.ts';
import { usePlaces } from '../places/use-places.ts';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { queryKeys } from '../api/query-keys.ts';
import type { DeletedSecret, SecretList } from '../api/secrets-api.ts';
import { formatNumber } from '../values/format.ts';

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
  const [isLater, setLater] = useState(false);
  useEffect(() => {
    const timer = window.setTimeout(() => setLater(true), AFTER_SCREEN_MS);
    return () => window.clearTimeout(timer);
  }, []);
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

/** Nothing that is counted beside the screen is urgent. */
const FRESH_MS = 5 * 60_000;

/** How many Secrets one may see in a namespace: of its list if that was loaded, otherwise from the service's memory. */
function useCount(namespace: string, isWanted: boolean): string | undefined {
  const loaded = useLoaded((queries) => {
    const list = queries.getQueryData<SecretList>(queryKeys.list(namespace));
    return list?.total ?? list?.secrets.length;
  });
  const options = { enabled: isWanted && loaded === undefined, staleTime: FRESH_MS, retry: false };
  const { data } = useRead(
    queryKeys.count(namespace),
    (api, signal) => api.count(namespace, signal),
    options,
  );
  return formatted(loaded ?? data);
}

/** How many were deleted, when that was loaded last in this tab: their list costs more than a number is worth. */
function useDeletedCount(namespace: string): string | undefined {
  const key = queryKeys.deleted(namespace);
  const count = useLoaded((queries) => queries.getQueryData<readonly DeletedSecret[]>(key)?.length);
  return count === 0 ? undefined : formatted(count);
}

/** How many Secrets have expired or are due, or will within 30 days; "+" where there may be more. */
function useExpiringCount(isWanted: boolean): string | undefined {
  const { data } = useExpiring({ enabled: isWanted, staleTime: FRESH_MS, retry: false });
  if (data === undefined || (data.items.length === 0 && !data.more)) return undefined;
  return `${formatNumber(data.items.length)}${data.more ? '+' : ''}`;
}

/** A number of what is loaded; nothing is requested or kept for it. */
function useLoaded(read: (queries: QueryClient) => number | undefined): number | undefined {
  const queries = useQueryClient();
  const subscribe = useCallback(
    (listener: () => void) => queries.getQueryCache().subscribe(listener),
    [queries],
  );
  return useSyncExternalStore(subscribe, () => read(queries));
}

const formatted = (count: number | undefined) => (count === undefined ? undefined : formatNumber(count));
