import { Skeleton } from '@patternfly/react-core';
import { matchPath, useLocation } from 'react-router';
import { PAGE_ROUTES } from '../../../src/contract/page-routes.ts';
import { listPath, detailPath } from '../paths.ts';
import { Screen, type Crumb } from './screen.tsx';
import { SlowStatus } from './slow.tsx';

/** Where the text of a skeleton would end, line by line. */
const WIDTHS = ['60%', '85%', '75%', '40%'];

/** A screen before its data: what it is called and how one gets back is in the address. */
export function ScreenSkeleton({ what }: { readonly what: string }) {
  const { title, crumbs } = headOf(useLocation().pathname);
  return (
    <Screen title={title} crumbs={crumbs}>
      <div className="skeleton" aria-hidden>
        {WIDTHS.map((width) => (
          <Skeleton key={width} width={width} />
        ))}
      </div>
      <SlowStatus what={what} />
    </Screen>
  );
}

interface Head {
  readonly title: string;
  readonly crumbs: readonly Crumb[];
}

function headOf(pathname: string): Head {
  const top = { text: 'Namespaces', to: '/' };
  const namespace = matchPath({ path: PAGE_ROUTES.list, end: false }, pathname)?.params.namespace;
  if (namespace === undefined) return { title: 'Namespaces', crumbs: [] };
  const list = { text: namespace, to: listPath(namespace) };
  if (matchPath(PAGE_ROUTES.create, pathname) !== null) {
    return { title: 'Create a Secret', crumbs: [top, list, { text: 'Create' }] };
  }
  if (matchPath(PAGE_ROUTES.deleted, pathname) !== null) {
    const crumbs = [top, list, { text: 'Deleted' }];
    return { title: `Deleted in ${namespace}`, crumbs };
  }
  const name = matchPath({ path: PAGE_ROUTES.detail, end: false }, pathname)?.params.name;
  if (name === undefined) return { title: namespace, crumbs: [top, { text: namespace }] };
  const secret = { text: name, to: detailPath({ namespace, name }) };
  if (matchPath(PAGE_ROUTES.edit, pathname) !== null) {
    return { title: `Edit ${name}`, crumbs: [top, list, secret, { text: 'Edit' }] };
  }
  if (matchPath(PAGE_ROUTES.copy, pathname) !== null) {
    return { title: `Copy ${name}`, crumbs: [top, list, secret, { text: 'Copy' }] };
  }
  return { title: name, crumbs: [top, list, { text: name }] };
}
