import { brokenTextRule, type TextRule } from '../../../src/contract/text.ts';

const WORDS: Readonly<Record<TextRule, string>> = {
  unicode: 'The value is not valid Unicode.',
  binaryControl: 'The value has control characters, which only binary values may have.',
};

/** Why a text cannot be a value, or undefined. */
export function valueProblem(value: string): string | undefined {
  const rule = brokenTextRule(value);
  return rule === undefined ? undefined : WORDS[rule];
}
