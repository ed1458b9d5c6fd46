// Prints what the browser downloads, gzipped, and fails beyond the budgets, and when styles reach into PatternFly's components.
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const TOTAL_KB = 420;
const INITIAL_KB = 250;
const CSS_KB = 60;

const dist = new URL('../dist/', import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8'));
const size = (file) => gzipSync(readFileSync(new URL(file, dist)), { level: 9 }).length / 1024;

const initial = new Set(['index.html']);
const follow = (name) => {
  const entry = manifest[name];
  if (initial.has(entry.file)) return;
  for (const file of [entry.file, ...(entry.css ?? [])]) initial.add(file);
  for (const next of entry.imports ?? []) follow(next);
};
follow('index.html');
// What the first screen that anyone works with needs on top.
follow('src/features/namespaces/home-page.tsx');

const all = [...readdirSync(new URL('assets/', dist)).map((file) => `assets/${file}`), 'index.html'];
const sum = (files) => files.reduce((total, file) => total + size(file), 0);
const total = sum(all);
const first = sum([...initial]);
const styles = sum(all.filter((file) => file.endsWith('.css')));
console.log(
  `total ${total.toFixed(1)} KB of ${TOTAL_KB}, initial route ${first.toFixed(1)} KB of ${INITIAL_KB}, styles ${styles.toFixed(1)} KB of ${CSS_KB} (gzip)`,
);
// Its custom properties are PatternFly's interface; its classes change with its versions.
const sources = new URL('../src/styles/', import.meta.url);
const reaching = readdirSync(sources).filter((file) =>
  /\.pf-v6-[a-z]-/.test(readFileSync(new URL(file, sources), 'utf8')),
);
if (reaching.length > 0) {
  console.error(
    `Styles name classes of PatternFly: ${reaching.join(', ')}. Give the component a class of its own.`,
  );
  process.exitCode = 1;
}
if (total > TOTAL_KB || first > INITIAL_KB || styles > CSS_KB) {
  console.error('The pages are over their budget.');
  process.exitCode = 1;
}
