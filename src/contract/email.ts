/** The email is the identity: two people at the provider must never become one here. */

/** Control, format, line and paragraph separator characters, and halves of surrogate pairs. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;
const BEYOND_ASCII = /[\u0080-\uffff]/;

/** Text between the characters that simple lowercasing leaves as they are, because it would turn them into ASCII. */
const LOWERED = /[^\u0130\u212a]+/g;

/**
 * The form in which emails are compared and stored: lowercased by Unicode's simple mapping, character by character,
 * whatever the locale and the neighbours. A character outside ASCII stays outside: U+212A KELVIN SIGN is not `k`. No
 * identity contains such a character, so an entry with one matches no one. A capital sigma is the one letter whose lower
 * case depends on its neighbours.
 */
export function emailKey(email: string): string {
  if (!BEYOND_ASCII.test(email)) return email.toLowerCase();
  return email.replaceAll('Σ', 'σ').replace(LOWERED, (text) => text.toLowerCase());
}

/** Identities of machines begin with it. */
export const MACHINE_PREFIX = 'machine:';

/**
 * Whether an email can be the identity of a person. An email that looks like another, or equals another once it is
 * lowercased or trimmed, cannot, nor can one that looks like a machine.
 */
export function isIdentity(email: string): boolean {
  if (email === '' || email !== email.trim() || UNSEEN.test(email)) return false;
  if (emailKey(email).startsWith(MACHINE_PREFIX)) return false;
  return !BEYOND_ASCII.test(email) || !Array.from(email).some(entersAscii);
}

/** Whether lowercasing turns a character outside ASCII into one inside: U+0130 and U+212A do. */
function entersAscii(character: string): boolean {
  return BEYOND_ASCII.test(character) && /[a-z]/.test(character.toLowerCase());
}
