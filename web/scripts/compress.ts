// Compresses the built pages, which the service sends as they are. Prints what the browser downloads, and fails beyond the
// budgets, and when styles reach into PatternFly's components.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const TOTAL_KB = 385;
const INITIAL_KB = 250;
const CSS_KB = 72;

const dist = new URL('../dist/', import.meta.url);

const index = readFileSync(new URL('index.html', dist), 'utf8');
// With the screen that anyone begins with, which is in the first chunk.
const initial = ['index.html', ...[...index.matchAll(/"\/(assets\/[^"]+)"/g)].map(([, file = '']) => file)];

const assets = readdirSync(new URL('assets/', dist)).filter((file) => !file.endsWith('.gz'));
const all = ['index.html', ...assets.map((file) => `assets/${file}`)];
const sizes = new Map(
  all.map((file) => {
    const gzipped = gzipSync(readFileSync(new URL(file, dist)), { level: 9 });
    if (file.startsWith('assets/')) writeFileSync(new URL(`${file}.gz`, dist), gzipped);
    return [file, gzipped.length / 1024] as const;
  }),
);
const sum = (files: readonly string[]): number =>
  files.reduce((total, file) => total + (sizes.get(file) ?? NaN), 0);
const total = sum(all);
const first = sum(initial);
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
