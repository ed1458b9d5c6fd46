import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

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

export default defineConfig({
  plugins: [withoutFontFiles, react()],
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    sourcemap: false,
    chunkSizeWarningLimit: 1_000,
  },
});
