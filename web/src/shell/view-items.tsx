import { Badge, NavItem } from '@patternfly/react-core';
import { Link, useLocation } from 'react-router';
import { activityPath, deletedPath, expiringPath } from '../paths.ts';
import { useDeletedCount, useExpiringCount } from './counts.ts';

export interface ViewItemsProps {
  /** That of the screen. */
  readonly namespace: string | undefined;
  readonly isCounted: boolean;
}

/** The views that are no namespace: what expires anywhere, and what happened and was deleted here. */
export function ViewItems({ namespace, isCounted }: ViewItemsProps) {
  return (
    <>
      <ViewItem to={expiringPath} text="Expiring" count={useExpiringCount(isCounted)} />
      {namespace !== undefined && (
        <>
          <ViewItem to={activityPath(namespace)} text="Activity" />
          <DeletedItem namespace={namespace} />
        </>
      )}
    </>
  );
}

function DeletedItem({ namespace }: { readonly namespace: string }) {
  return <ViewItem to={deletedPath(namespace)} text="Deleted" count={useDeletedCount(namespace)} />;
}

interface ViewItemProps {
  readonly to: string;
  readonly text: string;
  /** Of Secrets. */
  readonly count?: string | undefined;
}

function ViewItem({ to, text, count }: ViewItemProps) {
  const { pathname } = useLocation();
  return (
    <NavItem isActive={pathname === to}>
      <Link to={to} className="nav-namespace">
        <span className="nav-name">{text}</span>
        {count !== undefined && (
          <Badge isRead screenReaderText=" Secrets">
            {count}
          </Badge>
        )}
      </Link>
    </NavItem>
  );
}
