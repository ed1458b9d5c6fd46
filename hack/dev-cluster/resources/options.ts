import { type ApiRequest } from '../api/request.ts';
import { badRequest, invalid } from '../api/status.ts';
import { managerOf } from '../managed-fields/managed-fields.ts';
import { notSupported } from '../validation/field-errors.ts';

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
}

export function writeOptionsOf({ query, headers }: ApiRequest): WriteOptions {
  return { dryRun: isDryRun(query.getAll('dryRun')), manager: managerOf(query, headers['user-agent']) };
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
