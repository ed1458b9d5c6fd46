import { ServiceError } from '../errors/service-error.ts';
import { entryViolation, MAX_RULE_ENTRIES } from '../contract/access-entry.ts';

/**
 * Checks the entries of one list as a client sent them, and trims them. Internal whitespace, case,
 * order and duplicates stay as they are.
 * @throws {ServiceError} `invalidRequest`, naming the field and the rule, never an entry
 */
export function checkRuleList(field: string, entries: readonly string[]): readonly string[] {
  if (entries.length > MAX_RULE_ENTRIES) {
    throw new ServiceError('invalidRequest', `${field} must have at most ${MAX_RULE_ENTRIES} entries`);
  }
  for (const entry of entries) {
    const violation = entryViolation(entry);
    if (violation !== undefined) {
      throw new ServiceError('invalidRequest', `Each entry of ${field} ${violation}`);
    }
  }
  return entries.map((entry) => entry.trim());
}
