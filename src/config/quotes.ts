/** The quotes of keyboards, and those of word processors and web pages. */
const QUOTE = /^["'`\u2018-\u201f\u00ab\u00bb\u2039\u203a]$/;

/** The rule that a quoted setting breaks. */
export const QUOTES_RULE =
  'must not be in quotes: everything after the "=" is the value, and the quotes would be part of it';

/**
 * Whether a text begins and ends with a quote. A shell removes quotes; env files of kustomize and docker, ConfigMaps
 * and `kubectl set env` keep them.
 */
export function isQuoted(text: string): boolean {
  const trimmed = text.trim();
  return (
    trimmed.length > 1 && QUOTE.test(trimmed.charAt(0)) && QUOTE.test(trimmed.charAt(trimmed.length - 1))
  );
}

/**
 * The problem with a client id or secret, in words that do not quote it; undefined if there is none. A provider may use
 * any text, so these are warnings, not errors.
 */
export function credentialProblem(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (isQuoted(text)) return 'is in quotes, which count as part of it';
  return text === text.trim() ? undefined : 'begins or ends with white space, which counts as part of it';
}
