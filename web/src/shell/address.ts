import { matchPath, useLocation } from 'react-router';
import { PAGE_ROUTES } from '../../../src/contract/page-routes.ts';

/** The namespace of an address, which is there before any data is. */
export function useNamespaceInAddress(): string | undefined {
  const { pathname } = useLocation();
  return matchPath({ path: PAGE_ROUTES.list, end: false }, pathname)?.params.namespace;
}
