import { type ApiObject, type ObjectMeta } from '../api/object.ts';
import { badRequest, type ApiError } from '../api/status.ts';
import { isObject, objectAt, textAt, type Json, type JsonObject } from '../json/json.ts';
import { goJsonProblem } from '../json/go-json.ts';
import { apiVersionOf, METADATA, type Kind } from './kind.ts';
import { DecodeError, structOf, type Decoding } from './shape.ts';

export interface Decoded {
  readonly draft: ApiObject;
  /** Paths of fields that the kind does not have; they are dropped. */
  readonly unknown: readonly string[];
}

/** The JSON of a request body; 400 when it is none. */
export function parseBody(body: Buffer): Json {
  try {
    return JSON.parse(body.toString('utf8')) as Json;
  } catch {
    const problem = goJsonProblem(body) ?? 'invalid character';
    throw badRequest(`couldn't get version/kind; json parse error: ${problem}`);
  }
}

/**
 * The object of a request body: of the right kind (or of none, which is taken as the right one), with the
 * values' types checked and unknown fields dropped.
 */
export function decodeObject(kind: Kind, value: Json): Decoded {
  if (!isObject(value))
    throw badRequest("couldn't get version/kind; json parse error: json: cannot unmarshal");
  checkType(kind, value);
  try {
    return decodeFields(kind, value);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw undecodable(kind, error.message);
  }
}

/** Like `decodeObject`, but lets the DecodeError through: a patch answers it in its own way. */
export function decodeFields(kind: Kind, value: JsonObject): Decoded {
  const decoding: Decoding = { kind: kind.kind, unknown: [] };
  const shape = structOf({ ...kind.fields, kind: IGNORED, apiVersion: IGNORED, metadata: METADATA });
  const decoded = shape.decode(value, '', decoding);
  const { metadata, ...fields } = isObject(decoded) ? decoded : {};
  const draft = { metadata: metaOf(metadata), ...fields };
  return { draft, unknown: decoding.unknown };
}

export function undecodable(kind: Kind, problem: string): ApiError {
  return badRequest(
    `${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: ${problem}`,
  );
}

const IGNORED = { zero: null, omitZero: true, decode: () => null };

function metaOf(decoded: Json | undefined): ObjectMeta {
  const { selfLink: _selfLink, managedFields: _managedFields, ...given } = objectAt(decoded) ?? {};
  return {
    ...given,
    name: textAt(given, 'name'),
    uid: textAt(given, 'uid'),
    resourceVersion: textAt(given, 'resourceVersion'),
    creationTimestamp: textAt(given, 'creationTimestamp'),
  };
}

function checkType(kind: Kind, value: JsonObject): void {
  const givenKind = textAt(value, 'kind');
  const givenVersion = textAt(value, 'apiVersion');
  if (givenVersion !== '' && givenVersion !== apiVersionOf(kind)) {
    throw badRequest(
      `the API version in the data (${givenVersion}) does not match the expected API version (${apiVersionOf(kind)})`,
    );
  }
  if (givenKind !== '' && givenKind !== kind.kind) {
    const internal = `(${kind.goPackage}.${kind.kind})`;
    const why = `converting (${kind.version}.${givenKind}) to ${internal}: unknown conversion`;
    throw badRequest(`${givenKind} in version "${kind.version}" cannot be handled as a ${kind.kind}: ${why}`);
  }
}
