import { isServiceError } from '../../errors/service-error.ts';
import type { Page } from '../../kube/page.ts';
import type { Deadline } from '../../timing/deadline.ts';
import { field, malformed, requiredText } from '../objects/raw-object.ts';
import type { Gateway } from '../transport/gateway.ts';
import type { ClusterReply, ClusterRequest } from '../transport/request.ts';

/**
 * Reads one object. Undefined only if the cluster answered 404 for this object: the gateway gives every other 404
 * another code.
 */
export async function readObject(
  gateway: Pick<Gateway, 'request'>,
  request: Omit<ClusterRequest, 'verb'> & { readonly name: string },
  deadline: Deadline,
): Promise<{ readonly body: unknown } | undefined> {
  try {
    return await gateway.request({ verb: 'get', ...request }, deadline);
  } catch (error) {
    if (isServiceError(error, 'notFound')) return undefined;
    throw error;
  }
}

/**
 * Reads a page of a list. Its objects are decoded one by one, as they are read, so that whole objects do not accumulate, and a long
 * page is processed in slices. A suspended generator keeps its variables in memory, so there is none for a whole object.
 * @throws {ServiceError} `unavailable` when it is malformed: a page that cannot be read is never an empty one
 */
export function readPage<Item>(
  { body, items, bytes }: Pick<ClusterReply, 'body' | 'items' | 'bytes'>,
  kinds: readonly string[],
  decode: (native: unknown) => Item,
): Page<Item> {
  const kind = field(body, 'kind');
  const listed = field(body, 'items');
  const metadata = field(body, 'metadata');
  const token = field(metadata, 'continue');
  if (typeof kind !== 'string' || !kinds.includes(kind)) throw malformed('malformedList');
  // Go encodes a nil list as null.
  if (items === undefined || (!Array.isArray(listed) && listed !== null)) throw malformed('malformedList');
  if (token !== undefined && typeof token !== 'string') throw malformed('malformedList');
  return {
    items: Iterator.from(items).map((native) => decode(native)),
    resourceVersion: requiredText(field(metadata, 'resourceVersion'), 'malformedList'),
    continueToken: token === '' ? undefined : token,
    bytes,
  };
}
