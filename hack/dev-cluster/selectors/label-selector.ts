import { own, type JsonObject } from '../json/json.ts';
import { badRequest } from '../api/status.ts';
import { labelValue, qualifiedName } from '../validation/names.ts';

export type LabelSelector = (labels: JsonObject | undefined) => boolean;

type Requirement = (value: string | undefined) => boolean;

const EVERYTHING: LabelSelector = () => true;
/** `key in (a, b)` or `key notin (a, b)`. */
const SET = /^(\S+)\s+(in|notin)\s*\(([^()]*)\)$/;
const COMPARISON = /^([^\s=!<>]+)\s*(==|=|!=|<|>)\s*([^\s=!]*)$/;

/** Parses a label selector (`a=b,c!=d,e in (f,g),h,!i`); 400 when it is none. */
export function parseLabelSelector(text: string): LabelSelector {
  if (text.trim() === '') return EVERYTHING;
  const requirements = parts(text).map((part) => parseRequirement(part, text));
  return (labels = {}) =>
    requirements.every(({ key, holds }) => {
      const value = own(labels, key);
      return holds(typeof value === 'string' ? value : undefined);
    });
}

/** Splits at the commas outside of parentheses. */
function parts(text: string): readonly string[] {
  const found: string[] = [];
  let begin = 0;
  let isInside = false;
  for (let index = 0; index < text.length; index++) {
    if (text[index] === '(') isInside = true;
    else if (text[index] === ')') isInside = false;
    else if (text[index] === ',' && !isInside) {
      found.push(text.slice(begin, index));
      begin = index + 1;
    }
  }
  return [...found, text.slice(begin)].map((part) => part.trim());
}

function parseRequirement(
  part: string,
  whole: string,
): { readonly key: string; readonly holds: Requirement } {
  const set = SET.exec(part);
  if (set !== null) return checked(set[1] ?? '', ...setOf(set[2] ?? '', set[3] ?? ''), whole);
  const comparison = COMPARISON.exec(part);
  if (comparison !== null) {
    const value = comparison[3] ?? '';
    return checked(comparison[1] ?? '', compare(comparison[2] ?? '', value), [value], whole);
  }
  if (part.startsWith('!')) return checked(part.slice(1).trim(), (value) => value === undefined, [], whole);
  return checked(part, (value) => value !== undefined, [], whole);
}

function setOf(operator: string, list: string): [Requirement, readonly string[]] {
  const values = list.split(',').map((value) => value.trim());
  const wanted = new Set(values);
  if (operator === 'in') return [(value) => value !== undefined && wanted.has(value), values];
  return [(value) => value === undefined || !wanted.has(value), values];
}

function compare(operator: string, wanted: string): Requirement {
  if (operator === '!=') return (value) => value !== wanted;
  if (operator === '<') return (value) => value !== undefined && Number(value) < Number(wanted);
  if (operator === '>') return (value) => value !== undefined && Number(value) > Number(wanted);
  return (value) => value === wanted;
}

function checked(key: string, holds: Requirement, values: readonly string[], whole: string) {
  const problems = [...qualifiedName(key), ...values.flatMap(labelValue)];
  if (problems.length > 0) {
    throw badRequest(
      `unable to parse requirement: found ${JSON.stringify(key)} in ${JSON.stringify(whole)}: ${problems[0] ?? ''}`,
    );
  }
  return { key, holds };
}
