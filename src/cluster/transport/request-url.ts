import { withoutTrailingSlashes } from '../../config/addresses.ts';
import type { ClusterRequest } from './request.ts';
import { resourcePath } from '../objects/resources.ts';

/** The target of a request. */
export interface Address {
  readonly origin: string;
  readonly path: string;
}

/** The base URL of the server, which may have a path. */
export interface ServerBase {
  readonly origin: string;
  /** Without a slash at its end. */
  readonly prefix: string;
}

export function baseOf(server: string): ServerBase {
  const { origin, pathname } = new URL(server);
  return { origin, prefix: withoutTrailingSlashes(pathname) };
}

/** The address of a request. */
export function addressOf(
  { resource, namespace, name, query }: ClusterRequest,
  { origin, prefix }: ServerBase,
): Address {
  return { origin, path: `${prefix}${resourcePath(resource, namespace, name)}${searchOf(query)}` };
}

function searchOf(query: ClusterRequest['query']): string {
  if (query === undefined) return '';
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) if (value !== undefined) parameters.set(key, value);
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}

/** The headers of a request, including the credentials. */
export function headersOf(
  { accept = 'application/json', body, contentType = 'application/json' }: ClusterRequest,
  access: Readonly<Record<string, string>>,
  traceparent?: string,
): Record<string, string> {
  return {
    accept,
    'user-agent': 'secrets-management-service',
    ...(body !== undefined && { 'content-type': contentType }),
    ...(traceparent !== undefined && { traceparent }),
    ...access,
  };
}
