import { ServiceError } from '../../errors/service-error.ts';

/**
 * The only value of a parameter; undefined when it is missing.
 * @throws {ServiceError} `invalidRequest` when it is given more than once
 */
export function singleParameter(query: URLSearchParams, name: string): string | undefined {
  const values = query.getAll(name);
  if (values.length > 1) throw invalidParameter(`${name} must be given once`);
  return values[0];
}

/**
 * `true` or `false`; undefined when it is missing.
 * @throws {ServiceError} `invalidRequest`
 */
export function flagParameter(query: URLSearchParams, name: string): boolean | undefined {
  const text = singleParameter(query, name);
  if (text === undefined) return undefined;
  if (text !== 'true' && text !== 'false') throw invalidParameter(`${name} must be true or false`);
  return text === 'true';
}

/**
 * A whole number in decimal digits; undefined when it is missing.
 * @throws {ServiceError} `invalidRequest`
 */
export function numberParameter(query: URLSearchParams, name: string, most: number): number | undefined {
  const text = singleParameter(query, name);
  if (text === undefined) return undefined;
  const number = /^[1-9][0-9]{0,3}$/.test(text) ? Number(text) : Infinity;
  if (number <= most) return number;
  throw invalidParameter(`${name} must be a whole number from 1 to ${most}`);
}

/** @param message names the parameter and the rule, never the value */
export function invalidParameter(message: string): ServiceError {
  return new ServiceError('invalidRequest', message);
}
