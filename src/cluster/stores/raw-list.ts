import { field, malformed, requiredText } from './raw-object.ts';

/** One page of a list. */
export interface RawPage {
  readonly items: readonly unknown[];
  readonly resourceVersion: string;
  readonly continueToken: string | undefined;
}

/**
 * Parses a list of the cluster.
 * @throws {ServiceError} `unavailable` when it is malformed: a page that cannot be read is never an empty one
 */
export function readPage(body: unknown, kinds: readonly string[]): RawPage {
  const kind = field(body, 'kind');
  const items = field(body, 'items');
  const metadata = field(body, 'metadata');
  const token = field(metadata, 'continue');
  if (typeof kind !== 'string' || !kinds.includes(kind)) throw malformed('malformedList');
  // Go encodes a nil list as null.
  if (!Array.isArray(items) && items !== null) throw malformed('malformedList');
  if (token !== undefined && typeof token !== 'string') throw malformed('malformedList');
  return {
    items: items ?? [],
    resourceVersion: requiredText(field(metadata, 'resourceVersion'), 'malformedList'),
    continueToken: token === '' ? undefined : token,
  };
}
