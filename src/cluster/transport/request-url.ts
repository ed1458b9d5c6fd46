import { withoutTrailingSlashes } from '../../config/base-url.ts';
import type { ClusterRequest } from './request.ts';
import { resourcePath } from '../stores/resources.ts';

/** The target of a request. */
export interface Address {
  readonly origin: string;
  readonly path: string;
}

/** The address of a request. The base URL of the server may have a path. */
export function addressOf(
  { resource, namespace, name, query = {} }: ClusterRequest,
  server: string,
): Address {
  const base = new URL(server);
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) if (value !== undefined) parameters.set(key, value);
  const suffix = parameters.size === 0 ? '' : `?${parameters.toString()}`;
  const prefix = withoutTrailingSlashes(base.pathname);
  return { origin: base.origin, path: `${prefix}${resourcePath(resource, namespace, name)}${suffix}` };
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
