import { badRequest, unsupportedMediaType } from '../api/status.ts';
import { textAt, type JsonObject } from '../json/json.ts';
import { MESSAGES } from './kinds.ts';
import { message, readMessage, TEXT } from './message.ts';
import { fieldsOf, WireError } from './wire.ts';

export const PROTOBUF = 'application/vnd.kubernetes.protobuf';

/** Comes before every encoded object. */
const MAGIC = Buffer.from('k8s\0');

/** runtime.Unknown: of which kind the bytes in its field 2 are. */
const TYPE = { 1: ['type', message({ 1: ['apiVersion', TEXT], 2: ['kind', TEXT] })] } as const;
const RAW = 2;

/**
 * The JSON of an object as clients that prefer protobuf encode it. 400 when it is none, and 415 for a kind that is not in
 * MESSAGES, where a real cluster has them all.
 */
export function decodeProtobuf(body: Buffer): JsonObject {
  if (!body.subarray(0, MAGIC.length).equals(MAGIC)) throw malformed('does not appear to be protobuf');
  try {
    return decodeObject(body.subarray(MAGIC.length));
  } catch (error) {
    if (error instanceof WireError) throw malformed(error.message);
    throw error;
  }
}

function decodeObject(unknown: Buffer): JsonObject {
  const type = readMessage(TYPE, unknown)['type'];
  const apiVersion = textAt(type, 'apiVersion');
  const kind = textAt(type, 'kind');
  const fields = MESSAGES.get(`${apiVersion} ${kind}`);
  if (fields === undefined) throw unsupportedMediaType(['application/json']);
  const raw = fieldsOf(unknown).find(({ number }) => number === RAW)?.value;
  return { apiVersion, kind, ...readMessage(fields, Buffer.isBuffer(raw) ? raw : Buffer.alloc(0)) };
}

function malformed(why: string) {
  return badRequest(`couldn't get version/kind; protobuf parse error: ${why}`);
}
