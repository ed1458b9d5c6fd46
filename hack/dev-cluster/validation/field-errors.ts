import { type FieldError } from '../api/status.ts';

/** What a rule says of a value that it refuses; the value is quoted as the cluster quotes it. */
export function invalidValue(field: string, value: string, rule: string): FieldError {
  return { field, reason: 'FieldValueInvalid', message: `Invalid value: ${JSON.stringify(value)}: ${rule}` };
}

/** The same for a value that is no string and stands unquoted. */
export function invalidPlain(field: string, value: number | boolean | string, rule: string): FieldError {
  return { field, reason: 'FieldValueInvalid', message: `Invalid value: ${value}: ${rule}` };
}

export function required(field: string, rule = ''): FieldError {
  const message = rule === '' ? 'Required value' : `Required value: ${rule}`;
  return { field, reason: 'FieldValueRequired', message };
}

export function forbiddenField(field: string, rule: string): FieldError {
  return { field, reason: 'FieldValueForbidden', message: `Forbidden: ${rule}` };
}

export function tooLong(field: string, bytes: number): FieldError {
  return { field, reason: 'FieldValueTooLong', message: `Too long: may not be more than ${bytes} bytes` };
}

export function notSupported(field: string, value: string, supported: readonly string[]): FieldError {
  const values = supported.map((each) => JSON.stringify(each)).join(', ');
  const message = `Unsupported value: ${JSON.stringify(value)}: supported values: ${values}`;
  return { field, reason: 'FieldValueNotSupported', message };
}

export const IMMUTABLE = 'field is immutable';
