import type { Declaration, Root } from 'postcss';

/** A reference without a fallback, and any reference. */
const PLAIN_REFERENCE = /var\((--[\w-]+)\)/g;
const REFERENCE = /var\(\s*(--[\w-]+)/g;
const COMPONENT = /^--pf-v6-([a-z]-[a-z]+(?:-[a-z]+)*)(?:__|--)/;
/** Values are inlined from the outside in; chains are shorter than this. */
const MAX_ROUNDS = 12;

/** What custom properties come to. */
export interface Variables {
  /** Values that stand in place of their names. */
  readonly inlined: ReadonlyMap<string, string>;
  readonly isRead: (name: string) => boolean;
}

/**
 * Most custom properties of PatternFly are there to be overridden, and are not. One that is declared once, for the whole page or for the
 * root of its component, is replaced by its value; one that is read nowhere is left out.
 *
 * @param sheets all styles of the pages; they are changed on the way
 * @param inScripts the names that scripts set or read, or what such names begin with: scripts add to them at run time
 */
export function resolveVariables(sheets: readonly Root[], inScripts: readonly string[]): Variables {
  const isOfScripts = (name: string) => inScripts.some((beginning) => name.startsWith(beginning));
  const inlined = new Map<string, string>();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const found = inlineable(sheets, isOfScripts);
    for (const [name, value] of found) inlined.set(name, value);
    for (const sheet of sheets) inline(sheet, found);
    const read = readNames(sheets);
    let removed = 0;
    for (const sheet of sheets) {
      removed += removeUnread(sheet, (name) => read.has(name) || isOfScripts(name));
    }
    if (removed === 0) break;
  }
  const read = readNames(sheets);
  return { inlined, isRead: (name) => read.has(name) || isOfScripts(name) };
}

/** Replaces names by their values, which may have names again. */
export function inline(sheet: Root, values: ReadonlyMap<string, string>): void {
  sheet.walkDecls((declaration) => {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const before = declaration.value;
      if (!before.includes('var(')) return;
      declaration.value = before.replace(PLAIN_REFERENCE, (all, name: string) => values.get(name) ?? all);
      if (declaration.value === before) return;
    }
  });
}

export function removeUnread(sheet: Root, isRead: (name: string) => boolean): number {
  let removed = 0;
  sheet.walkDecls(/^--/, (declaration) => {
    if (isRead(declaration.prop)) return;
    declaration.remove();
    removed += 1;
  });
  return removed;
}

function inlineable(
  sheets: readonly Root[],
  isOfScripts: (name: string) => boolean,
): ReadonlyMap<string, string> {
  const declarations = new Map<string, Declaration[]>();
  for (const sheet of sheets) {
    sheet.walkDecls(/^--/, (declaration) => {
      declarations.set(declaration.prop, [...(declarations.get(declaration.prop) ?? []), declaration]);
    });
  }
  const values = new Map<string, string>();
  for (const [name, [first, ...others]] of declarations) {
    if (first === undefined || others.length > 0 || isOfScripts(name)) continue;
    if (isForWholeScope(first) && hasFixedParts(first.value)) values.set(name, first.value);
  }
  return values;
}

/** Declared where everything that reads it inherits it, whatever the window is like. */
function isForWholeScope({ prop, parent }: Declaration): boolean {
  if (parent?.type !== 'rule' || !isUnconditional(parent.parent)) return false;
  const component = COMPONENT.exec(prop)?.[1];
  const { selectors } = parent as unknown as { readonly selectors: readonly string[] };
  return selectors.every(
    (selector) =>
      selector === ':root' ||
      selector.startsWith(':root:where(:not(') ||
      selector === `.pf-v6-${component ?? ''}`,
  );
}

function isUnconditional(parent: unknown): boolean {
  const at = parent as { readonly type: string; readonly name?: string; readonly parent?: unknown };
  if (at.type === 'root') return true;
  return at.type === 'atrule' && at.name === 'layer' && isUnconditional(at.parent);
}

/** Tokens have one value in the whole page; other names may have another one where this value is read. */
const hasFixedParts = (value: string): boolean =>
  [...value.matchAll(REFERENCE)].every(([, name = '']) => name.startsWith('--pf-t--'));

function readNames(sheets: readonly Root[]): ReadonlySet<string> {
  const read = new Set<string>();
  for (const sheet of sheets) {
    sheet.walkDecls(({ value }) => {
      for (const [, name = ''] of value.matchAll(REFERENCE)) read.add(name);
    });
  }
  return read;
}
