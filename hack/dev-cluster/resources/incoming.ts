import { type ApiObject } from '../api/object.ts';
import { type ApiRequest } from '../api/request.ts';
import { badRequest, unsupportedMediaType } from '../api/status.ts';
import { decodeObject, parseBody, undecodable, type Decoded } from '../kinds/decode.ts';
import { type Json } from '../json/json.ts';
import { type Kind } from '../kinds/kind.ts';
import { decodeProtobuf, PROTOBUF } from '../protobuf/decode.ts';
import { fieldValidationOf } from './options.ts';

/** An object that a request brings, and the headers that warn of what was dropped from it. */
export interface Incoming {
  readonly draft: ApiObject;
  readonly headers: Readonly<Record<string, readonly string[]>>;
}

/** Reads the object of a create or replace request. */
export function incomingObject(kind: Kind, request: ApiRequest): Incoming {
  return checkUnknown(kind, decodeObject(kind, bodyOf(request)), request.query);
}

/** What a request's body says, in JSON or protobuf; no type at all is taken as JSON. 415 for other types. */
export function bodyOf({ headers, body }: ApiRequest): Json {
  const type = mediaType(headers['content-type']);
  if (type === PROTOBUF) return decodeProtobuf(body);
  if (type === '' || type === 'application/json') return parseBody(body);
  throw unsupportedMediaType(['application/json']);
}

export function mediaType(header: string | undefined): string {
  return (header ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** Unknown fields are refused, warned of, or ignored, as the request's `fieldValidation` requires. */
export function checkUnknown(kind: Kind, { draft, unknown }: Decoded, query: URLSearchParams): Incoming {
  const mode = fieldValidationOf(query);
  const problems = unknown.map((path) => `unknown field ${JSON.stringify(path)}`);
  if (problems.length === 0 || mode === 'Ignore') return { draft, headers: {} };
  if (mode === 'Strict') throw undecodable(kind, `strict decoding error: ${problems.join(', ')}`);
  return { draft, headers: { warning: problems.map((problem) => `299 - ${JSON.stringify(problem)}`) } };
}

/** The body's name must be the path's. */
export function checkName(draft: ApiObject, name: string, namespace: string): void {
  const given = draft.metadata.name;
  if (given === '') {
    throw badRequest(
      `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
    );
  }
  if (given !== name) {
    throw badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`);
  }
  const home = draft.metadata.namespace ?? '';
  if (home !== '' && home !== namespace) {
    throw badRequest(
      `the namespace of the object (${home}) does not match the namespace on the request (${namespace})`,
    );
  }
}
