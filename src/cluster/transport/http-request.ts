import type { Dispatcher } from 'undici';
import { parseJson } from '../objects/raw-object.ts';
import type { Transport } from './connections.ts';
import { answeredFailure, type Failure } from './errors.ts';
import type { ClusterRequest } from './request.ts';
import { readStatus } from './status.ts';

type HttpResponse = Dispatcher.ResponseData;

/** A Status object with all its causes is far smaller. */
const MAX_ERROR_BYTES = 1_048_576;

export function headerOf({ headers }: HttpResponse, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

/** The body of a response; undefined for a longer one, whose rest is not read. */
export async function readBody(response: HttpResponse, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  const announced = Number(headerOf(response, 'content-length') ?? 0);
  let length = 0;
  for await (const chunk of response.body as AsyncIterable<Buffer>) {
    length += chunk.byteLength;
    if (Math.max(length, announced) > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

/** The failure for a response with a status of 300 or more. If the body of an error is lost or too long, its status is enough. */
export async function readFailure(
  request: ClusterRequest,
  response: HttpResponse,
  { clock, noteDate }: Pick<Transport, 'clock' | 'noteDate'>,
): Promise<Failure> {
  const { statusCode: status } = response;
  const body = await readBody(response, MAX_ERROR_BYTES).catch((error: unknown) => {
    if (status < 400) throw error;
    return undefined;
  });
  const details = body === undefined ? undefined : readStatus(parseJson(body));
  // A body that is not a Status may come from anything between the service and the cluster.
  if (details !== undefined) noteDate(headerOf(response, 'date'));
  const retryAfter = headerOf(response, 'retry-after');
  return answeredFailure(request, { status, details, retryAfter, nowMs: clock.wallNow() });
}
