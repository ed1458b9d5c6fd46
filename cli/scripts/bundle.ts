import { chmodSync, copyFileSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { COMMANDS } from '../src/commands/commands.ts';
import { manPage } from './man-page.ts';

// `npm run build:cli`: the command as one file, its man page, and its licence, in cli/dist.

const CLI = path.resolve(import.meta.dirname, '..');
const DIST = path.join(CLI, 'dist');
const TARGET = path.join(DIST, 'secretsctl.cjs');

const { version } = JSON.parse(readFileSync(path.join(CLI, 'package.json'), 'utf8')) as { version: string };
const warnings: string[] = [];
rmSync(DIST, { recursive: true, force: true });
const build = await rolldown({
  cwd: CLI,
  input: 'src/main.ts',
  platform: 'node',
  transform: { define: { SECRETSCTL_VERSION: JSON.stringify(version) } },
  onLog: (_level, { message }) => warnings.push(message),
});
const { output } = await build.write({
  file: TARGET,
  // An ES module that imports node:http loads all of fetch with it: 17 of the 59 ms that a command takes to start.
  format: 'cjs',
  banner: '#!/usr/bin/env node',
  comments: false,
});
// Whatever is not in the file would be missing where it is installed.
const imported = output.flatMap((one) => (one.type === 'chunk' ? one.imports : [one.fileName]));
const foreign = imported.filter((name) => !name.startsWith('node:'));
if (warnings.length + foreign.length > 0) throw new Error([...warnings, ...foreign].join('\n'));
chmodSync(TARGET, 0o755);
writeFileSync(path.join(DIST, 'secretsctl.1'), manPage(COMMANDS, version));
copyFileSync(path.join(CLI, '..', 'LICENSE'), path.join(DIST, 'LICENSE'));
console.log(`Bundled secretsctl: ${(statSync(TARGET).size / 1_000).toFixed(0)} kB`);
