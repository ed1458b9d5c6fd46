import { parse } from 'postcss';
import { describe, expect, test } from 'vitest';
import { inline, resolveVariables } from '../scripts/inline-variables/variables.ts';

/** The styles that are left, on one line. */
function resolved(css: string, inScripts: readonly string[] = []): string {
  const sheet = parse(css);
  resolveVariables([sheet], inScripts);
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

  test('that a script adds to keeps its name', () => {
    const css = '.pf-v6-c-menu { --pf-v6-c-menu--G-on-md: 1px } .b { gap: var(--pf-v6-c-menu--G-on-md) }';
    expect(resolved(css, ['--pf-v6-c-menu--G'])).toContain('gap: var(--pf-v6-c-menu--G-on-md)');
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
