import { MAX_DATA_BYTES } from '../../../src/contract/limits.ts';
import { expiresAtViolation, rotateEveryViolation } from '../../../src/contract/expiry.ts';
import { descriptionViolation } from '../../../src/contract/text.ts';
import { dataBytes, rowProblems, type Row } from './draft.ts';
import type { Texts } from './fields.ts';
import { isolated } from '../values/format.ts';
import { typeNeed } from './secret-types.ts';

/**
 * Why a text cannot be saved, by its field.
 * @param stored those that the Secret has; a description that is unchanged, perhaps from elsewhere and longer, is not sent
 */
export function textProblems({ description, expiresAt = '', rotateEvery = '' }: Texts, stored?: Texts) {
  const [time, period] = [expiresAtViolation(expiresAt), rotateEveryViolation(rotateEvery)];
  const words = description === stored?.description ? undefined : descriptionViolation(description);
  return {
    description: words && `The description ${words}.`,
    expiresAt: time && 'Enter a day from 1970 to 9999.',
    rotateEvery: period && `The period ${period}.`,
  };
}

/** Why one of the texts cannot be saved. */
export function textsProblem(draft: Texts, stored?: Texts): string | undefined {
  return Object.values(textProblems(draft, stored)).find((problem) => problem !== undefined);
}

/**
 * What holds the rows back, to be said beside the button: which row it is; the row itself shows the rule.
 * @param type whose rules the values are held to; undefined when they are not sent
 */
export function rowsProblem(rows: readonly Row[], type: string | undefined): string | undefined {
  const problems = rowProblems(rows);
  const row = rows.find(({ id }) => problems.has(id));
  if (row !== undefined) {
    return row.key === '' ? 'A value has no key yet.' : `Check the key ${isolated(row.key)} and its value.`;
  }
  if (dataBytes(rows) > MAX_DATA_BYTES) return 'The values are too large together.';
  const fits = type === undefined || typeNeed(type, rows) === undefined;
  return fits ? undefined : 'The values do not match the type yet.';
}
