import { ListenError } from '../server/listen.ts';
import { isServiceError } from '../errors/service-error.ts';
import { spelledOut } from '../contract/printable.ts';

/**
 * The message for the operator when the service cannot start. Messages of our own errors are safe to print; of any
 * other error only the class is printed, since its message may quote its input.
 */
export function operatorMessage(error: unknown): string {
  if (isServiceError(error) || error instanceof ListenError)
    return `The service cannot start: ${spelledOut(error.message)}`;
  const kind = error instanceof Error ? error.constructor.name : typeof error;
  return `The service cannot start: unexpected ${kind}`;
}
