import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { COMMANDS } from '../src/commands/commands.ts';
import { reference } from './reference.ts';

// `npm run cli:docs`: writes the reference of cli/README.md from the command table. A test holds it to the table.

const README = path.resolve(import.meta.dirname, '..', 'README.md');
const MARKER = '<!-- From the command table: npm run cli:docs -->\n';

/** The README with the reference of now. */
export function withReference(readme: string): string {
  const [written] = readme.split(MARKER);
  return `${written ?? ''}${MARKER}\n${reference(COMMANDS)}\n`;
}

if (import.meta.main) writeFileSync(README, withReference(readFileSync(README, 'utf8')));
