import type { Response } from 'express';
import type * as z from 'zod';

export type ResponseHeaders = Readonly<Record<string, string>>;

/** What a schema describes as handlers may return it: the same shape, read-only. */
export type Wire<Value> = Value extends string | number | boolean | null | undefined
  ? Value
  : Value extends readonly (infer Item)[]
    ? readonly Wire<Item>[]
    : Value extends object
      ? { readonly [Key in keyof Value]: Wire<Value[Key]> }
      : Value;

interface Extras {
  /** Complete `Set-Cookie` values. */
  readonly setCookies?: readonly string[];
  readonly headers?: ResponseHeaders;
}

export interface JsonResponse<Status extends number = number, Body = unknown> extends Extras {
  readonly status: Status;
  readonly json: Body;
}

/** JSON that is already serialized, the bytes of a value, a page. */
export interface SerializedResponse<Status extends number = number> extends Extras {
  readonly status: Status;
  readonly bytes: Buffer;
  readonly headers: ResponseHeaders;
}

export interface RedirectResponse extends Extras {
  readonly redirectTo: string;
}

/** What a handler returns. */
export type RouteResponse = JsonResponse | SerializedResponse | RedirectResponse;

/** A response as the route's record declares it, in the form of the OpenAPI document. Without content it is a redirect. */
export interface ResponseSpec {
  readonly description: string;
  /** Headers of this response, beyond those that every response has. */
  readonly headers?: z.ZodObject;
}

export interface JsonSpec<Schema extends z.ZodType = z.ZodType> extends ResponseSpec {
  readonly content: { readonly 'application/json': { readonly schema: Schema } };
}

/** Bytes as they are stored. */
export const BYTES = {
  'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
} as const;

/** Bytes of any form. */
export interface BytesSpec extends ResponseSpec {
  readonly content: typeof BYTES;
}

/** Successful responses by status, and failures that are not `{error}`. */
export type ResponseSpecs = Readonly<Record<number, ResponseSpec>>;

/** Declares a JSON response. */
export function json<Schema extends z.ZodType>(
  description: string,
  schema: Schema,
  headers?: z.ZodObject,
): JsonSpec<Schema> {
  return { description, content: { 'application/json': { schema } }, ...(headers && { headers }) };
}

/**
 * The responses that a handler of a route with these specifications may return. Tests check the shape of JSON that it
 * returns serialized.
 */
export type ResponseOf<Specs extends ResponseSpecs> = {
  [Status in keyof Specs & number]: Specs[Status] extends JsonSpec<infer Schema>
    ? JsonResponse<Status, Wire<z.output<Schema>>> | SerializedResponse<Status>
    : Specs[Status] extends BytesSpec
      ? SerializedResponse<Status>
      : RedirectResponse;
}[keyof Specs & number];

export function send(response: Response, result: RouteResponse): void {
  if ('setCookies' in result) response.append('Set-Cookie', [...result.setCookies]);
  if ('headers' in result) response.set(result.headers);
  if ('redirectTo' in result) response.redirect(302, result.redirectTo);
  else if ('bytes' in result) response.status(result.status).send(result.bytes);
  else response.status(result.status).json(result.json);
}
