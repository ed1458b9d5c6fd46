import { type ApiRequest } from '../api/request.ts';
import { badRequest, invalid } from '../api/status.ts';
import { managerOf, type Applies } from '../managed-fields/managed-fields.ts';
import { forbiddenField, notSupported, required } from '../validation/field-errors.ts';

/** Whether nothing is to be stored (`dryRun=All`). */
export function isDryRun(values: readonly string[]): boolean {
  const unknown = values.find((value) => value !== 'All');
  if (unknown !== undefined) {
    const subject = { group: 'meta.k8s.io', kind: 'CreateOptions' };
    throw invalid(subject, [notSupported('dryRun', unknown, ['All'])]);
  }
  return values.length > 0;
}

export interface WriteOptions {
  /** Whether nothing is to be stored. */
  readonly dryRun: boolean;
  /** Under whose name the changed fields are kept. */
  readonly manager: string;
  /** With server-side apply. */
  readonly applies?: Applies;
}

export function writeOptionsOf({ query, headers }: ApiRequest): WriteOptions {
  return { dryRun: isDryRun(query.getAll('dryRun')), manager: managerOf(query, headers['user-agent']) };
}

const PATCH_OPTIONS = { group: 'meta.k8s.io', kind: 'PatchOptions' };

/** Of server-side apply, whose manager is named by the request. */
export function applyOptionsOf(request: ApiRequest): WriteOptions & { readonly force: boolean } {
  const { query } = request;
  if ((query.get('fieldManager') ?? '') === '')
    throw invalid(PATCH_OPTIONS, [required('fieldManager', 'is required for apply patch')]);
  return { ...writeOptionsOf(request), force: ['true', '1'].includes(query.get('force') ?? '') };
}

/** Of every other patch. */
export function patchOptionsOf(request: ApiRequest): WriteOptions {
  if (!request.query.has('force')) return writeOptionsOf(request);
  throw invalid(PATCH_OPTIONS, [forbiddenField('force', 'may not be specified for non-apply patch')]);
}

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** What happens to unknown fields: a warning, unless the request says otherwise. */
export function fieldValidationOf(query: URLSearchParams): FieldValidation {
  const value = query.get('fieldValidation') ?? '';
  if (value === '') return 'Warn';
  if (value === 'Ignore' || value === 'Warn' || value === 'Strict') return value;
  const subject = { group: 'meta.k8s.io', kind: 'CreateOptions' };
  throw invalid(subject, [notSupported('fieldValidation', value, ['Ignore', 'Strict', 'Warn'])]);
}

/** A whole number of a query, or undefined when it is absent; 400 when it is none. */
export function numberOf(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name);
  if (value === null || value === '') return undefined;
  if (!/^\d{1,15}$/.test(value)) {
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(value)}: invalid syntax`);
  }
  return Number(value);
}
