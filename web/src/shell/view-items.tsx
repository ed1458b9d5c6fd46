import { Badge, NavItem } from '@patternfly/react-core';
import { Link, useLocation } from 'react-router';
import { deletedPath, expiringPath } from '../paths.ts';
import { formatNumber } from '../values/format.ts';
import { useDeletedCount, useExpiringCount } from './counts.ts';

export interface ViewItemsProps {
  /** That of the screen. */
  readonly namespace: string | undefined;
  readonly isCounted: boolean;
}

/** The views that are no namespace: what expires anywhere, and what was deleted here. */
export function ViewItems({ namespace, isCounted }: ViewItemsProps) {
  const expiring = useExpiringCount(isCounted);
  return (
    <>
      <ViewItem
        to={expiringPath}
        text="Expiring"
        {...(expiring === undefined ? {} : { count: expiring, unit: 'Secrets' })}
      />
      {namespace !== undefined && <DeletedItem namespace={namespace} />}
    </>
  );
}

function DeletedItem({ namespace }: { readonly namespace: string }) {
  const count = useDeletedCount(namespace);
  return (
    <ViewItem
      to={deletedPath(namespace)}
      text="Deleted"
      {...(count === undefined ? {} : { count: formatNumber(count), unit: 'Secrets' })}
    />
  );
}

interface ViewItemProps {
  readonly to: string;
  readonly text: string;
  readonly count?: string;
  /** What is counted, for screen readers. */
  readonly unit?: string;
}

function ViewItem({ to, text, count, unit }: ViewItemProps) {
  const { pathname } = useLocation();
  return (
    <NavItem isActive={pathname === to}>
      <Link to={to} className="nav-namespace">
        <span className="nav-name">{text}</span>
        {count !== undefined && (
          <Badge isRead screenReaderText={` ${unit ?? ''}`}>
            {count}
          </Badge>
        )}
      </Link>
    </NavItem>
  );
}
