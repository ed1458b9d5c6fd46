import { existsSync, globSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { commandsBySection } from '../../integration/docs/guide-commands.ts';
import { readDocument } from '../../unit/observability/markdown-tables.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const INSTALL = 'test/integration/docs/install-guide.test.ts';
const OPERATIONS = 'test/integration/docs/operations-guide.test.ts';
const PODS = 'needs pods';
const CHECKOUT = 'starts the checks of a checkout, which cannot run themselves';

/** By document: the test that runs the commands of all its sections, or of each; a text with a space says why none does. */
const COMMANDS: Readonly<Record<string, string | Readonly<Record<string, string>>>> = {
  'api-clients.md': 'test/contract/docs/api-clients.test.ts',
  'api.md': 'test/contract/docs/api-examples.test.ts',
  'audit.md': {
    'Identify a person or a session': 'prints the digest of a text',
    'Lines that are missing': 'test/integration/docs/audit-recipe.test.ts',
  },
  'contributing.md': CHECKOUT,
  // The test says which commands it leaves out, and why.
  'install.md': INSTALL,
  'machines.md': 'test/contract/docs/machines.test.ts',
  'observability.md': 'test/integration/docs/log-recipes.test.ts',
  'operations.md': {
    'A drill': OPERATIONS,
    Backup: OPERATIONS,
    'Ending sessions':
      'test/contract/sign-in/tools.test.ts runs hack/revoke-sessions; the others are its steps by hand',
    Leaving: OPERATIONS,
    Restoring: OPERATIONS,
    'The session key': `${PODS} that restart with the new key`,
    Upgrading: `${PODS}; install.md applies the same overlay`,
    'Without an overlap': OPERATIONS,
  },
  'runbook.md': `${PODS}; test/integration/docs/log-recipes.test.ts runs the queries of its log`,
  'sign-in.md': 'test/contract/sign-in/tools.test.ts runs the same tools',
  'tour.md': 'test/tools/run/run.test.ts starts what it looks at',
};

it('every block of commands in docs/ runs in a test, or it is said why not', () => {
  const documents = globSync('*.md', { cwd: resolve(ROOT, 'docs') })
    .map((name) => ({ name, sections: [...commandsBySection(readDocument(name)).keys()] }))
    .filter(({ sections }) => sections.length > 0);
  expect(documents.map(({ name }) => name).toSorted()).toEqual(Object.keys(COMMANDS).toSorted());
  for (const { name, sections } of documents) {
    const listed = COMMANDS[name] ?? {};
    if (typeof listed !== 'string') expect(Object.keys(listed).toSorted(), name).toEqual(sections.toSorted());
  }
});

it('the tests that are named there exist', () => {
  const named = Object.values(COMMANDS).flatMap((one) =>
    typeof one === 'string' ? [one] : Object.values(one),
  );
  const missing = named.filter((one) => !one.includes(' ') && !existsSync(resolve(ROOT, one)));
  expect(missing).toEqual([]);
});
