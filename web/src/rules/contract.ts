/**
 * The rules that the service itself holds requests to, so that a form objects to what the service would refuse
 * and to nothing else. The only place where the pages look into the service's code.
 */
export { entryViolation, MAX_RULE_ENTRIES } from '../../../src/contract/access-entry.ts';
export { isValidKey, KEY_RULE } from '../../../src/contract/keys.ts';
export { newNameViolation } from '../../../src/contract/names.ts';
export { hasBinaryControl } from '../../../src/contract/text.ts';
export { isServiceAccountToken, typeRuleViolation } from '../../../src/secrets/types.ts';
export { emailKey } from '../../../src/contract/email.ts';
export { loginErrorText } from '../../../src/api/routes/pages/login-errors.ts';

export const MAX_DATA_BYTES = 1024 * 1024;
