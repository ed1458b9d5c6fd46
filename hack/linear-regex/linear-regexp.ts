import { whyNotLinear } from './why-not-linear.ts';

/**
 * A pattern that someone else wrote, such as in a rule of a fault.
 * @throws {SyntaxError} when it is none, or when it is not proved to take time linear in the text
 */
export function linearRegExp(source: string): RegExp {
  const pattern = new RegExp(source);
  const why = whyNotLinear(source, pattern.flags);
  if (why !== undefined) throw new SyntaxError(`The pattern ${why}`);
  return pattern;
}
