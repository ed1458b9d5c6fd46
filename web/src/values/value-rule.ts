import { textViolation } from '../../../src/contract/text.ts';

/** Why a text cannot be a value, or undefined. */
export function valueProblem(value: string): string | undefined {
  const violation = textViolation(value);
  return violation === undefined ? undefined : `The value ${violation}.`;
}
