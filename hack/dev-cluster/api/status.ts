import { type Json, type JsonObject } from '../json/json.ts';

/** One violated rule of a validation, as the cluster lists it under `details.causes`. */
export interface FieldError {
  readonly field: string;
  readonly reason:
    | 'FieldValueInvalid'
    | 'FieldValueRequired'
    | 'FieldValueForbidden'
    | 'FieldValueTooLong'
    | 'FieldValueNotSupported'
    | 'FieldValueDuplicate';
  readonly message: string;
}

/** What a Status names: `group` is '' for the core group, `kind` is the plural, or the kind in validations. */
export interface Subject {
  readonly group: string;
  readonly kind: string;
  readonly name?: string;
}

/** A failure that is answered as a Status object. */
export class ApiError extends Error {
  readonly code: number;
  readonly status: JsonObject;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: number,
    reason: string,
    message: string,
    extra: { details?: JsonObject; metadata?: JsonObject; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message);
    this.code = code;
    this.status = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: extra.metadata ?? {},
      status: 'Failure',
      message,
      ...(reason === '' ? {} : { reason }),
      ...(extra.details === undefined ? {} : { details: extra.details }),
      code,
    };
    this.headers = extra.headers ?? {};
  }
}

export function success(subject: Subject, uid: string): JsonObject {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { ...detailsOf(subject), uid },
  };
}

export function badRequest(message: string): ApiError {
  return new ApiError(400, 'BadRequest', message);
}

export function notFound(subject: Subject): ApiError {
  const message = `${qualified(subject)} "${subject.name ?? ''}" not found`;
  return new ApiError(404, 'NotFound', message, { details: detailsOf(subject) });
}

export function routeNotFound(): ApiError {
  return new ApiError(404, 'NotFound', 'the server could not find the requested resource', { details: {} });
}

export function methodNotAllowed(): ApiError {
  const message = 'the server does not allow this method on the requested resource';
  return new ApiError(405, 'MethodNotAllowed', message, { details: {} });
}

export function alreadyExists(subject: Subject): ApiError {
  const message = `${qualified(subject)} "${subject.name ?? ''}" already exists`;
  return new ApiError(409, 'AlreadyExists', message, { details: detailsOf(subject) });
}

export function conflict(subject: Subject, why: string): ApiError {
  const message = `Operation cannot be fulfilled on ${qualified(subject)} "${subject.name ?? ''}": ${why}`;
  return new ApiError(409, 'Conflict', message, { details: detailsOf(subject) });
}

/** What server-side apply would take from other managers. */
export function applyConflict(
  conflicts: readonly { readonly manager: string; readonly field: string }[],
): ApiError {
  const lines = [...Map.groupBy(conflicts, ({ manager }) => manager)].flatMap(([manager, of]) => [
    `conflicts with ${manager}:`,
    ...of.map(({ field }) => `- ${field}`),
  ]);
  const single = conflicts.map(({ manager, field }) => `conflict with ${manager}: ${field}`).join('');
  const all =
    conflicts.length === 1 ? `1 conflict: ${single}` : `${conflicts.length} conflicts: ${lines.join('\n')}`;
  const causes = conflicts.map(({ manager, field }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${manager}`,
    field,
  }));
  return new ApiError(409, 'Conflict', `Apply failed with ${all}`, { details: { causes } });
}

export function forbidden(subject: Subject, why: string, causes: readonly JsonObject[] = []): ApiError {
  const name = subject.name === undefined || subject.name === '' ? '' : ` "${subject.name}"`;
  const details = causes.length === 0 ? detailsOf(subject) : { ...detailsOf(subject), causes: [...causes] };
  return new ApiError(403, 'Forbidden', `${qualified(subject)}${name} is forbidden: ${why}`, { details });
}

/** 422. A single cause stands alone in the message, several in brackets. */
export function invalid(subject: Subject, errors: readonly FieldError[]): ApiError {
  const texts = errors.map((error) => `${error.field}: ${error.message}`);
  const all = texts.length === 1 ? texts.join('') : `[${texts.join(', ')}]`;
  const causes: Json[] = errors.map(({ reason, message, field }) => ({ reason, message, field }));
  const message = `${qualified(subject)} "${subject.name ?? ''}" is invalid: ${all}`;
  return new ApiError(422, 'Invalid', message, { details: { ...detailsOf(subject), causes } });
}

export function unauthorized(): ApiError {
  return new ApiError(401, 'Unauthorized', 'Unauthorized');
}

export function unsupportedMediaType(accepted: readonly string[]): ApiError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`;
  return new ApiError(415, 'UnsupportedMediaType', message, { details: {} });
}

export function notAcceptable(): ApiError {
  return new ApiError(406, 'NotAcceptable', 'only the following media types are accepted: application/json', {
    details: {},
  });
}

export function bodyTooLarge(limit: number): ApiError {
  return new ApiError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${limit}`, {
    details: {},
  });
}

export function expired(message: string, metadata: JsonObject = {}): ApiError {
  return new ApiError(410, 'Expired', message, { metadata });
}

export function futureRevision(requested: number, current: number): ApiError {
  const message = `Timeout: Too large resource version: ${requested}, current: ${current}`;
  const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }];
  return new ApiError(504, 'Timeout', message, {
    details: { causes, retryAfterSeconds: 1 },
    headers: { 'retry-after': '1' },
  });
}

function qualified({ kind, group }: Subject): string {
  return group === '' ? kind : `${kind}.${group}`;
}

function detailsOf({ name, group, kind }: Subject): JsonObject {
  return {
    ...(name === undefined || name === '' ? {} : { name }),
    ...(group === '' ? {} : { group }),
    kind,
  };
}
