import { generatePath, matchPath, useLocation } from 'react-router';
import { PAGE_ROUTES } from '../../src/contract/page-routes.ts';
import type { SecretRef } from './api/secrets-api.ts';

/** The addresses of the screens, as links and navigations need them. */
export const listPath = (namespace: string): string => generatePath(PAGE_ROUTES.list, { namespace });
export const expiringPath = PAGE_ROUTES.expiring;
export const createPath = (namespace: string): string => generatePath(PAGE_ROUTES.create, { namespace });
export const activityPath = (namespace: string): string => generatePath(PAGE_ROUTES.activity, { namespace });
export const deletedPath = (namespace: string): string => generatePath(PAGE_ROUTES.deleted, { namespace });

type SecretRoute = 'detail' | 'edit' | 'copy' | 'compare' | 'history' | 'consumers' | 'access';
const secretPath =
  (route: SecretRoute) =>
  ({ namespace, name }: SecretRef): string =>
    generatePath(PAGE_ROUTES[route], { namespace, name });
export const detailPath = secretPath('detail');
export const editPath = secretPath('edit');
export const copyPath = secretPath('copy');
/** A copy beside the original, under another name. */
export const DUPLICATE_HASH = '#duplicate';
/** @param other left out: it is chosen there */
export const comparePath = (secret: SecretRef, other?: SecretRef): string =>
  secretPath('compare')(secret) +
  (other === undefined
    ? ''
    : `?${new URLSearchParams({ with: `${other.namespace}/${other.name}` }).toString()}`);
export const historyPath = secretPath('history');
export const consumersPath = secretPath('consumers');
export const accessPath = secretPath('access');

/** The namespace of an address, which is there before any data is. */
export function useNamespaceInAddress(): string | undefined {
  const { pathname } = useLocation();
  return matchPath({ path: PAGE_ROUTES.list, end: false }, pathname)?.params.namespace;
}

interface Crumb {
  readonly text: string;
  /** Without one it is the page itself. */
  readonly to?: string;
}

const OWN_TITLES: Readonly<Record<string, string>> = {
  [PAGE_ROUTES.expiring]: 'Expiring',
  [PAGE_ROUTES.terminal]: 'Sign in from a terminal',
};

/** What a screen is called, and how one gets back from it. The title holds names, never values. */
export function headOf(pathname: string): { readonly title: string; readonly crumbs: readonly Crumb[] } {
  const namespace = matchPath({ path: PAGE_ROUTES.list, end: false }, pathname)?.params.namespace;
  if (namespace === undefined) return { title: OWN_TITLES[pathname] ?? 'Home', crumbs: [] };
  const is = (route: keyof typeof PAGE_ROUTES) => matchPath(PAGE_ROUTES[route], pathname) !== null;
  const [top, list] = [
    { text: 'Namespaces', to: '/' },
    { text: namespace, to: listPath(namespace) },
  ];
  if (is('create')) return { title: 'Create a Secret', crumbs: [top, list, { text: 'Create' }] };
  if (is('activity')) return { title: `Activity in ${namespace}`, crumbs: [top, list, { text: 'Activity' }] };
  if (is('deleted')) return { title: `Deleted in ${namespace}`, crumbs: [top, list, { text: 'Deleted' }] };
  const name = matchPath({ path: PAGE_ROUTES.detail, end: false }, pathname)?.params.name;
  if (name === undefined) return { title: namespace, crumbs: [top, { text: namespace }] };
  const secret = { text: name, to: detailPath({ namespace, name }) };
  if (is('edit')) return { title: `Edit ${name}`, crumbs: [top, list, secret, { text: 'Edit' }] };
  if (is('copy')) return { title: `Copy ${name}`, crumbs: [top, list, secret, { text: 'Copy' }] };
  if (is('compare')) return { title: `Compare ${name}`, crumbs: [top, list, secret, { text: 'Compare' }] };
  return { title: name, crumbs: [top, list, { text: name }] };
}
