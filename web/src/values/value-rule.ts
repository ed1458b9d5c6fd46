import { brokenTextRule, type TextRule } from '../../../src/contract/text.ts';
import { VALUE_RULE_WORDS } from '../words/values.ts';

const WORDS: Readonly<Record<TextRule, string>> = {
  unicode: VALUE_RULE_WORDS.notUnicode,
  binaryControl: VALUE_RULE_WORDS.controlCharacters,
};

/** Why a text cannot be a value, or undefined. */
export function valueProblem(value: string): string | undefined {
  const rule = brokenTextRule(value);
  return rule === undefined ? undefined : WORDS[rule];
}
