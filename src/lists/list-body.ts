import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { createConcurrencyLimit } from '../timing/concurrency-limit.ts';
import type { ListSource } from './list-cache.ts';

/** The body of a list. */
export interface ListBody {
  readonly plain: Buffer;
  /** The same with the content coding gzip (RFC 9110, section 8.4.1.3): compressed on the first call, then kept. */
  gzipped(): Promise<Buffer>;
}

export interface SecretList {
  /** `{namespace, secrets: SecretSummary[], canCreate}` as JSON, ordered by name. */
  readonly body: ListBody;
  readonly from: ListSource;
}

export type Compress = (bytes: Buffer) => Promise<Buffer>;

/** Lists repeat themselves so much that the fastest level already makes 25 of 1.6 MB bytes one; level 6 takes ten times as long. */
const LEVEL = 1;
/** Of the four threads that Node has for it; name resolution and files share them. */
const AT_ONCE = 2;

/** Compresses outside the event loop, two bodies at once. */
export function createCompressor(): Compress {
  const limit = createConcurrencyLimit(AT_ONCE);
  const compress = promisify<Buffer, { level: number }, Buffer>(gzip);
  return (bytes) => limit(() => compress(bytes, { level: LEVEL }));
}

/** @param onCompressed receives the length of the compressed copy once there is one */
export function createListBody(
  plain: Buffer,
  compress: Compress,
  onCompressed: (byteLength: number) => void = () => undefined,
): ListBody {
  let copy: Promise<Buffer> | undefined;
  const make = async (): Promise<Buffer> => {
    const bytes = await compress(plain);
    onCompressed(bytes.byteLength);
    return bytes;
  };
  const forget = (error: unknown): never => {
    copy = undefined;
    throw error;
  };
  return { plain, gzipped: () => (copy ??= make().catch(forget)) };
}
