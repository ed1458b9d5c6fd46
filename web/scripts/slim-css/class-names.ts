/** A word of a program: an identifier, or a part of a string that could be a class. */
const WORD = /[A-Za-z_$][\w$-]*/g;
/** PatternFly's tables of class names hold all of them, used or not; a component reads them by their key. */
const TABLE_OF_CLASSES = '/react-styles/css/';

/** Composed by the components at run time, so that no program holds them in one piece. A test finds what is missing here. */
const COMPOSED: ReadonlySet<string> = new Set([
  'pf-m-display-inline',
  'pf-m-horizontal-on-md',
  'pf-m-resize-vertical',
]);

export type IsUsed = (className: string) => boolean;

/**
 * Which classes of PatternFly the pages can have, by the words of their modules after unused code has been removed.
 *
 * @param modules the code of each module, by its path
 */
export function usedClasses(modules: ReadonlyMap<string, string>): IsUsed {
  const words = new Set<string>();
  for (const [path, code] of modules) {
    if (path.includes(TABLE_OF_CLASSES)) continue;
    for (const [word] of code.matchAll(WORD)) words.add(word);
  }
  return (className) => {
    if (!className.startsWith('pf-') || words.has(className) || COMPOSED.has(className)) return true;
    // The key of "pf-v6-c-menu__list-item" is "menuListItem", that of "pf-m-no-padding" is "noPadding".
    const own = className.replace(/^pf-(?:v6-[a-z]|m)-/, '');
    return words.has(own) || words.has(camelCase(own));
  };
}

function camelCase(name: string): string {
  const [first = '', ...others] = name.split(/[-_]/);
  return first + others.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join('');
}
