import { list } from 'postcss';
import type { IsUsed } from './class-names.ts';

const CLASS = /\.([\w-]+)/g;
const ALTERNATIVES = /:(is|where|has|not)\(/y;
/** The pages read from left to right. */
const OTHER_DIRECTION = /dir-rtl|\[dir=["']?rtl/;

/** Whether an element of the pages can match. What is excluded by `:not()` need not exist. */
export function canMatch(selector: string, isUsed: IsUsed): boolean {
  if (OTHER_DIRECTION.test(selector)) return false;
  const { plain, groups } = split(selector);
  return (
    [...plain.matchAll(CLASS)].every(([, name = '']) => isUsed(name)) &&
    groups.every((group) => list.comma(group).some((alternative) => canMatch(alternative, isUsed)))
  );
}

/** A selector without its lists of alternatives, and these. */
function split(selector: string): { readonly plain: string; readonly groups: readonly string[] } {
  const groups: string[] = [];
  let plain = '';
  let at = 0;
  while (at < selector.length) {
    ALTERNATIVES.lastIndex = at;
    const start = ALTERNATIVES.exec(selector);
    if (start === null) {
      plain += selector.charAt(at);
      at += 1;
      continue;
    }
    const from = at + start[0].length;
    at = closing(selector, from) + 1;
    if (start[1] !== 'not') groups.push(selector.slice(from, at - 1));
  }
  return { plain, groups };
}

/** Where the bracket closes that was opened before `from`. */
function closing(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < text.length; at++) {
    const letter = text.charAt(at);
    if (letter === '(') depth += 1;
    if (letter === ')') depth -= 1;
    if (depth === 0) return at;
  }
  return text.length;
}
