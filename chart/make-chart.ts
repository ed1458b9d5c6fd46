import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { COMBINATIONS, PUBLISHED } from '../hack/manifests/renderings.ts';
import { templatesOf } from './templates.ts';
import { valuesSchema } from './values-schema.ts';

// Writes what is made of the Helm chart: the templates from the rendered manifests, and the schema from the values.
// `make manifests`. With --check nothing is written, and a file that differs is an error.

const ROOT = new URL('..', import.meta.url).pathname;
const CHART = join(ROOT, 'chart/secrets-management-service');
const SCHEMA = 'values.schema.json';
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const templates = templatesOf({
  install: read(PUBLISHED[0].file),
  namespaced: read(PUBLISHED[1].file),
  allComponents: read(COMBINATIONS.allComponents.file),
});
const made = new Map([
  [SCHEMA, valuesSchema(readFileSync(join(CHART, 'values.yaml'), 'utf8'))],
  ...templates.map(({ file, text }) => [`templates/${file}`, text] as const),
]);
const kept = [SCHEMA, ...readdirSync(join(CHART, 'templates')).map((file) => `templates/${file}`)]
  // What is written by hand has other endings.
  .filter((file) => file.endsWith('.yaml') || file.endsWith('.json'))
  .filter((file) => existsSync(join(CHART, file)));

const differing = [...new Set([...made.keys(), ...kept])].filter(
  (file) => !kept.includes(file) || made.get(file) !== readFileSync(join(CHART, file), 'utf8'),
);
if (!values.check) {
  for (const file of differing) {
    const text = made.get(file);
    if (text === undefined) rmSync(join(CHART, file));
    else writeFileSync(join(CHART, file), text);
  }
} else if (differing.length > 0) {
  console.error(`The chart differs from the manifests in ${differing.join(', ')}: run \`make manifests\``);
  process.exitCode = 1;
}
