import { parse } from 'postcss';
import { describe, expect, test } from 'vitest';
import { usedClasses } from '../scripts/slim-css/class-names.ts';
import { canMatch } from '../scripts/slim-css/selectors.ts';
import { inline, resolveVariables } from '../scripts/slim-css/variables.ts';

const isUsed = usedClasses(
  new Map([
    [
      '/react-core/Menu.js',
      "css(styles.menuListItem, styles.modifiers.plainText, 'pf-m-favorite', variants.danger)",
    ],
    ['/react-styles/css/menu.js', "export default { modifiers: { current: 'pf-m-current' } }"],
  ]),
);

describe('a class of PatternFly', () => {
  test.each([
    'pf-v6-c-menu__list-item',
    'pf-m-plain-text',
    'pf-m-favorite',
    'pf-m-danger',
    'own',
    'is-anything',
  ])('%s is used when a component reads it, or it is not of PatternFly', (name) => {
    expect(isUsed(name)).toBe(true);
  });

  test.each(['pf-v6-c-menu__list', 'pf-m-current', 'pf-m-plain'])(
    '%s is unused when only the table of classes has it',
    (name) => {
      expect(isUsed(name)).toBe(false);
    },
  );
});

describe('a selector', () => {
  test.each([
    ['.pf-v6-c-menu__list-item > .own', true],
    ['.pf-v6-c-menu__list-item.pf-m-current', false],
    ['.own:not(.pf-m-current)', true],
    ['.own:is(.pf-m-current, .pf-m-danger:where(:hover))', true],
    ['.own:where(.pf-m-current, .pf-m-plain)', false],
    [':where(.pf-v6-m-dir-rtl, [dir="rtl"]) .own', false],
    ['.pf-v6-c-menu__list-item:nth-child(2n)', true],
  ])('%s can match: %s', (selector, can) => {
    expect(canMatch(selector, isUsed)).toBe(can);
  });
});

/** The styles that are left, on one line. */
function resolved(css: string, inScripts: readonly string[] = []): string {
  const sheet = parse(css);
  resolveVariables([sheet], new Set(inScripts));
  return sheet.toString().replaceAll(/\s+/g, ' ').trim();
}

describe('a custom property', () => {
  test('that is declared once for its component is replaced by its value, and that by its own', () => {
    const css = `:root { --pf-t--gap: 1rem }
      .pf-v6-c-menu { --pf-v6-c-menu--Gap: var(--pf-t--gap) }
      .pf-v6-c-menu__list { gap: var(--pf-v6-c-menu--Gap) }`;
    expect(resolved(css)).toContain('.pf-v6-c-menu__list { gap: 1rem }');
    expect(resolved(css)).not.toContain('--');
  });

  test.each([
    [
      'is declared for a modifier, too',
      '.pf-v6-c-menu { --pf-v6-c-menu--G: 1px } .a { --pf-v6-c-menu--G: 2px }',
    ],
    ['depends on the window', '@media (min-width: 1px) { .pf-v6-c-menu { --pf-v6-c-menu--G: 1px } }'],
    ['belongs to a modifier', '.pf-m-x { --pf-v6-c-menu--G: 1px }'],
    ['depends on a name of a component', '.pf-v6-c-menu { --pf-v6-c-menu--G: var(--pf-v6-c-nav--G) }'],
  ])('that %s keeps its name', (_what, css) => {
    expect(resolved(`${css} .b { gap: var(--pf-v6-c-menu--G) }`)).toContain('gap: var(--pf-v6-c-menu--G)');
  });

  test('that a script sets keeps its name', () => {
    const css = '.pf-v6-c-menu { --pf-v6-c-menu--G: 1px } .b { gap: var(--pf-v6-c-menu--G) }';
    expect(resolved(css, ['--pf-v6-c-menu--G'])).toContain('gap: var(--pf-v6-c-menu--G)');
  });

  test('that nothing reads is left out', () => {
    expect(resolved('.a { --pf-v6-c-menu--G: 1px; gap: 0 }')).toBe('.a { gap: 0 }');
  });

  test('that refers to itself is given up', () => {
    const sheet = parse('.a { gap: var(--a) }');
    inline(sheet, new Map([['--a', 'calc(var(--a) + 1px)']]));
    expect(sheet.toString()).toContain('calc(');
  });
});
