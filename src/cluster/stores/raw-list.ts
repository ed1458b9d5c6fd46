import type { Page } from '../../kube/page.ts';
import type { ClusterReply } from '../transport/request.ts';
import { field, malformed, requiredText } from './raw-object.ts';

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
