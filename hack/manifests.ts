import { parseArgs } from 'node:util';
import { readRendered, render, RENDERED, writeRendered } from './manifests/rendered.ts';

// Renders manifests/ from kustomize/. With --check nothing is written, and a file that differs is an error.

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });

for (const { file, folder } of RENDERED) {
  const text = render(folder);
  if (!values.check) {
    writeRendered(file, text);
  } else if (readRendered(file) !== text) {
    console.error(`${file} differs from ${folder}: run \`make manifests\``);
    process.exitCode = 1;
  }
}
