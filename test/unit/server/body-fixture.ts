import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { expect, vi } from 'vitest';
import { receiveBody } from '../../../src/server/body.ts';
import { ServiceError } from '../../../src/errors/service-error.ts';

/** A request without a socket: what it sends is written into a stream. */
export function exchange(headers: Readonly<Record<string, string>> = { 'content-type': 'application/json' }) {
  const stream = new PassThrough();
  const request = Object.assign(stream, { headers }) as unknown as IncomingMessage;
  const sent = new Map<string, unknown>();
  const response = {
    setHeader: (name: string, value: unknown) => void sent.set(name.toLowerCase(), value),
  } as unknown as ServerResponse;
  const refusals: string[] = [];
  const budget = { left: Infinity };
  const ending: { end?: (error: ServiceError) => void } = {};
  const reservation = {
    reserve: (bytes: number) => {
      budget.left -= bytes;
      return budget.left < 0 ? new ServiceError('bodyBudgetExceeded', 'no budget') : undefined;
    },
    complete: () => undefined,
    release: vi.fn<() => void>(),
  };
  const bodies = {
    onRefused: (bound: string) => void refusals.push(bound),
    open: (_person: string, end: (error: ServiceError) => void) => {
      ending.end = end;
      return reservation;
    },
  };
  const receive = () => receiveBody(request, response, bodies, 'ada');
  const read = async () => (await receive()).parse();
  return { stream, sent, refusals, budget, reservation, ending, receive, read };
}

/** Reads a body that arrives in these chunks. */
export function bodyOf(chunks: readonly (string | Uint8Array)[], headers?: Readonly<Record<string, string>>) {
  const { stream, read } = exchange(headers);
  const body = read();
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  return body;
}

export const refused = (code: string, message?: string) =>
  expect.objectContaining({ code, ...(message === undefined ? {} : { message }) }) as Error;
