import { generatePath, matchPath, useLocation } from 'react-router';
import { PAGE_ROUTES } from '../../src/contract/page-routes.ts';
import type { SecretRef } from './api/secrets-api.ts';

/** The addresses of the screens, as links and navigations need them. */
export const listPath = (namespace: string): string => generatePath(PAGE_ROUTES.list, { namespace });
export const expiringPath = PAGE_ROUTES.expiring;
export const createPath = (namespace: string): string => generatePath(PAGE_ROUTES.create, { namespace });
export const deletedPath = (namespace: string): string => generatePath(PAGE_ROUTES.deleted, { namespace });
export const detailPath = ({ namespace, name }: SecretRef): string =>
  generatePath(PAGE_ROUTES.detail, { namespace, name });
export const editPath = ({ namespace, name }: SecretRef): string =>
  generatePath(PAGE_ROUTES.edit, { namespace, name });
export const copyPath = ({ namespace, name }: SecretRef): string =>
  generatePath(PAGE_ROUTES.copy, { namespace, name });
/** A copy beside the original, under another name. */
export const DUPLICATE_HASH = '#duplicate';
export const historyPath = ({ namespace, name }: SecretRef): string =>
  generatePath(PAGE_ROUTES.history, { namespace, name });
export const consumersPath = ({ namespace, name }: SecretRef): string =>
  generatePath(PAGE_ROUTES.consumers, { namespace, name });
export const accessPath = ({ namespace, name }: SecretRef): string =>
  generatePath(PAGE_ROUTES.access, { namespace, name });

/** The namespace of an address, which is there before any data is. */
export function useNamespaceInAddress(): string | undefined {
  const { pathname } = useLocation();
  return matchPath({ path: PAGE_ROUTES.list, end: false }, pathname)?.params.namespace;
}
