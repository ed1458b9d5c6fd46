import { bodyTooLarge } from '../api/status.ts';
import { type Incoming } from './exchange.ts';

/** The largest request body that the cluster reads. */
export const BODY_LIMIT = 3 * 1024 * 1024;

/** The whole body; 413 when it is too large, after the client has been let finish so that it sees the answer. */
export async function readBody(request: Incoming): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= BODY_LIMIT) chunks.push(chunk);
  }
  if (size > BODY_LIMIT) throw bodyTooLarge(BODY_LIMIT);
  return Buffer.concat(chunks);
}
