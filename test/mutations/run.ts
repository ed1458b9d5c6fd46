import { fileURLToPath } from 'node:url';
import { titleOf, type Mutant } from './mutant.ts';
import { MUTANTS } from './mutants.ts';
import { runTests } from './run-tests.ts';
import { allStages, stagesFor } from './stages.ts';
import { typeErrors } from './type-check.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

/** Copies of the tree in which bugs are tried at the same time. */
const JOBS = Number(process.env['MUTATION_JOBS'] ?? '2');
/** Only the mutants whose file or description contains one of these texts, separated by `|`. */
const WANTED = (process.env['MUTANT'] ?? '').split('|');

/** What became of a mutant, in the word that begins its line. */
type Verdict =
  | { readonly word: 'killed' | 'explained'; readonly why: string }
  | { readonly word: 'SURVIVED' | 'OUTDATED' | 'BROKEN'; readonly why: string };

const interrupted = new AbortController();
process.once('SIGINT', () => {
  interrupted.abort(new Error('interrupted'));
});

async function judge(workspace: Workspace, mutant: Mutant): Promise<Verdict> {
  const { survives } = mutant;
  return await workspace.withMutant(mutant, async () => {
    for (const stage of stagesFor(workspace.folder, mutant.file)) {
      const run = await runTests(workspace.folder, stage, interrupted.signal);
      if (run.kind === 'broken') return { word: 'BROKEN', why: run.why };
      if (run.kind === 'passed') continue;
      if (survives === undefined) return { word: 'killed', why: run.by };
      return { word: 'OUTDATED', why: `it is explained as a survivor, but killed: ${run.by}` };
    }
    if (survives !== undefined) return { word: 'explained', why: survives };
    return { word: 'SURVIVED', why: 'no test has noticed' };
  });
}

async function requireSound({ folder }: Workspace): Promise<void> {
  for (const stage of allStages(folder)) {
    const run = await runTests(folder, stage, interrupted.signal);
    if (run.kind !== 'passed') {
      throw new Error(`without any bug: ${run.kind === 'failed' ? `${run.by} fails` : run.why}`);
    }
    console.log(`without any bug: ${run.tests} tests of ${stage.paths.join(', ')} pass`);
  }
}

async function judgeAll(workspaces: readonly Workspace[], mutants: readonly Mutant[]): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  const remaining = mutants.values();
  const work = async (workspace: Workspace) => {
    for (const mutant of remaining) {
      const verdict = await judge(workspace, mutant);
      verdicts.push(verdict);
      console.log(`${verdicts.length}/${mutants.length} ${verdict.word} ${titleOf(mutant)}`);
      console.log(`    ${verdict.why}`);
    }
  };
  await Promise.all(workspaces.map(work));
  return verdicts;
}

async function main(): Promise<number> {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const mutants = MUTANTS.filter((mutant) => WANTED.some((text) => titleOf(mutant).includes(text)));
  if (mutants.length === 0) throw new Error(`no mutant contains ${WANTED.join(' or ')}`);
  const errors = typeErrors(root, mutants);
  if (errors.length > 0) throw new Error(`mutants that do not compile:\n${errors.join('\n')}`);
  const workspaces: Workspace[] = [];
  try {
    while (workspaces.length < JOBS) workspaces.push(createWorkspace(root));
    const [first] = workspaces;
    if (first === undefined) throw new Error('MUTATION_JOBS must be at least 1');
    await requireSound(first);
    const verdicts = await judgeAll(workspaces, mutants);
    const count = (...words: Verdict['word'][]) => verdicts.filter(({ word }) => words.includes(word)).length;
    const explained = count('explained');
    console.log(
      `${count('killed')} killed, ${count('SURVIVED') + explained} survived (${explained} explained)`,
    );
    return count('killed', 'explained') === mutants.length ? 0 : 1;
  } finally {
    for (const workspace of workspaces) workspace.remove();
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
