import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { inlineVariables } from './scripts/inline-variables/plugin.ts';

/** PatternFly's own typeface costs more than all scripts together; the system's does as well. */
const withoutFontFiles: Plugin = {
  name: 'without-font-files',
  enforce: 'pre',
  transform(code, id) {
    return id.endsWith('.css') && code.includes('@font-face')
      ? { code: withoutFontFaces(code), map: null }
      : null;
  },
};

function withoutFontFaces(css: string): string {
  const [before = '', ...rules] = css.split('@font-face');
  return before + rules.map((rule) => rule.slice(rule.indexOf('}') + 1)).join('');
}

/** The pages are light or dark; PatternFly's tokens for its other themes are as large as those for both. */
const withoutOtherThemes: Plugin = {
  name: 'without-other-themes',
  enforce: 'pre',
  transform(code, id) {
    return id.endsWith('/styles/base.css') && code.includes(':root:where(')
      ? { code: withoutThemes(code), map: null }
      : null;
  },
};

function withoutThemes(css: string): string {
  const [before = '', ...rules] = css.split('\n:root:where(');
  const kept = rules.map((rule) => {
    const selector = rule.slice(0, rule.indexOf('{'));
    const isOther = ['felt', 'glass', 'high-contrast'].some((theme) => selector.includes(theme));
    return isOther ? rule.slice(rule.indexOf('}') + 1) : `\n:root:where(${rule}`;
  });
  return before + kept.join('');
}

/** The pages' own styles, which are in no layer, count for more, in whichever order the files arrive. */
const patternflyInLayer: Plugin = {
  name: 'patternfly-in-layer',
  enforce: 'pre',
  transform(code, id) {
    return id.endsWith('.css') && id.includes('/@patternfly/')
      ? { code: `@layer patternfly {\n${code}\n}\n`, map: null }
      : null;
  },
};

/** The browser shows what stands before a stylesheet in the body while it loads; one in the head holds back everything. */
const stylesAfterContent: Plugin = {
  name: 'styles-after-content',
  enforce: 'post',
  transformIndexHtml: {
    order: 'post',
    handler(html) {
      const lines = html.split('\n');
      const isStyle = (line: string) => line.trimStart().startsWith('<link rel="stylesheet"');
      const content = lines.filter((line) => !isStyle(line)).join('\n');
      return content.replace('</body>', `${lines.filter(isStyle).join('\n')}\n  </body>`);
    },
  },
};

/** Each chunk has its modules and what they import, except for what a chunk of a higher priority has. */
const CHUNKS = [
  {
    name: 'frame',
    test: /\/web\/src\/(?:main\.tsx|routes\.tsx|shell\/|features\/namespaces\/)/,
    priority: 3,
  },
  { name: 'reading', test: /\/web\/src\/(?!features\/(?:form|create|edit|copy)\/)/, priority: 2 },
  { name: 'writing', test: /\/web\/src\//, priority: 1 },
];

export default defineConfig({
  // The size of what was built is printed after it, in one line.
  logLevel: 'warn',
  plugins: [
    withoutFontFiles,
    withoutOtherThemes,
    inlineVariables(() => [withoutFontFiles, withoutOtherThemes, react()]),
    patternflyInLayer,
    stylesAfterContent,
    react(),
  ],
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      // The first build of inline-variables runs within the second, and would be reported as slow.
      checks: { bundlerTimings: false },
      output: { codeSplitting: { groups: CHUNKS } },
    },
  },
});
