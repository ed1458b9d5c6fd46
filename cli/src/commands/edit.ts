import { textOf } from '../../../src/contract/text.ts';
import type { SecretSummary } from '../../../web/src/api/schema.ts';
import { command, type CommandContext } from '../command.ts';
import { editFiles, type EditedFiles } from '../edit/editor.ts';
import { mergeKeys, unresolvedKeys } from '../edit/merge.ts';
import { EXIT, Failure, usage } from '../failure.ts';
import {
  readSecret,
  refOf,
  titleOf,
  type ReadSecret,
  type SecretRef,
  type Values,
} from '../secrets/secrets.ts';
import { wantsJson } from './list.ts';
import { CHANGE_OPTIONS, noteOf, report, sendPatch, wouldDo } from './write.ts';

export const edit = command({
  name: 'edit',
  summary: 'Edit values in your editor',
  usage: 'NAME [KEY…]',
  min: 1,
  max: 100,
  details: [
    'Each key is a file, in memory where there is such storage, and is removed at the end. The editor is $VISUAL, $EDITOR or vi; Vim and Neovim write no viminfo, swap, backup or undo file of it. A line break that it adds at the end of a value without one is left out.',
    'Where someone else has saved meanwhile, their keys stay; a key that both changed is opened again with both values between markers.',
  ],
  options: CHANGE_OPTIONS,
  examples: [
    'secretsctl edit -n team-a settings',
    'secretsctl edit -n team-a settings application.yaml --note "more workers"',
  ],
  async run(context, { positionals: [name = '', ...keys], options }) {
    const ref = refOf(context, name);
    wantsJson(options.output);
    const read = await readSecret(context.service(), ref);
    const before = editable(ref, read, keys);
    const files = editFiles(context, before);
    try {
      await editUntilSaved(context, { ref, files, read, before, options });
    } finally {
      files.remove();
    }
  },
});

/** @throws {Failure} */
function editable(ref: SecretRef, { values }: ReadSecret, keys: readonly string[]): Values {
  const chosen = keys.length === 0 ? [...values.keys()] : keys;
  const texts = new Map<string, Uint8Array>();
  for (const key of chosen) {
    const value = values.get(key);
    if (value === undefined) throw new Failure('notFound', `${titleOf(ref)} has no key ${key}`);
    if (textOf(value) !== undefined) texts.set(key, value);
    else if (keys.length > 0) throw usage(`the value of ${key} is binary: set it from a file`);
  }
  if (texts.size === 0) throw usage(`${titleOf(ref)} has no text to edit`);
  return texts;
}

interface Editing {
  readonly ref: SecretRef;
  readonly files: EditedFiles;
  readonly read: ReadSecret;
  readonly before: Values;
  readonly options: Parameters<typeof report>[1];
}

async function editUntilSaved(context: CommandContext, editing: Editing): Promise<undefined> {
  const { ref, files, options, before } = editing;
  let { summary: base } = editing.read;
  let based = before;
  let isMerging = false;
  for (;;) {
    const mine = await files.edit(based);
    if (mine.size === 0) {
      if (isMerging) throw new Failure('conflict', 'the edit was given up, and nothing of it was saved');
      context.terminal.note('Nothing was changed.');
      return undefined;
    }
    const unresolved = isMerging ? unresolvedKeys(mine) : [];
    if (unresolved.length > 0) {
      context.terminal.note(`Both values are still in ${unresolved.join(', ')}: keep one of them.`);
      await pause(context);
      continue;
    }
    const what = `changed ${[...mine.keys()].join(', ')}`;
    if (options['dry-run']) {
      wouldDo(context, ref, what);
      return;
    }
    const saved = await save(context, ref, { base, based, mine, note: noteOf(options) });
    if (saved.kind === 'saved') {
      report(context, options, saved.secret, what);
      return;
    }
    context.terminal.note(saved.problem);
    if (saved.kind === 'conflict') {
      isMerging = true;
      ({ base, based } = saved);
      files.write(saved.marked);
    }
    await pause(context);
  }
}

/** Time to read why, before the editor covers it. */
async function pause({ terminal }: CommandContext): Promise<void> {
  await terminal.question('Press Enter to open the editor again, or Ctrl-C to give up. ');
}

interface Change {
  readonly base: SecretSummary;
  readonly based: Values;
  readonly mine: Values;
  readonly note: ReturnType<typeof noteOf>;
}

type Saved =
  | { readonly kind: 'saved'; readonly secret: SecretSummary }
  | {
      readonly kind: 'conflict';
      readonly base: SecretSummary;
      readonly based: Values;
      /** What the files show now. */
      readonly marked: Values;
      readonly problem: string;
    }
  /** Nothing was changed; what was typed is still in the files. */
  | { readonly kind: 'refused'; readonly problem: string };

async function save(context: CommandContext, ref: SecretRef, change: Change): Promise<Saved> {
  const { base, based, mine, note } = change;
  try {
    return {
      kind: 'saved',
      secret: await sendPatch(context, ref, { base, values: mine, remove: [], facts: note }),
    };
  } catch (error) {
    if (!(error instanceof Failure) || error.exitCode === EXIT.uncertain) throw error;
    const { isInputTerminal } = context.terminal;
    if (error.exitCode !== EXIT.conflict && isInputTerminal) {
      return { kind: 'refused', problem: `Not saved: ${error.message}` };
    }
    if (error.exitCode !== EXIT.conflict) throw error;
    const { summary, values: theirs } = await readSecret(context.service(), ref);
    // No one was first: it would be refused each time.
    if (summary.resourceVersion === base.resourceVersion) throw error;
    const { merged, marked } = mergeKeys(based, mine, theirs);
    const own = new Map([...based.keys()].map((key) => [key, theirs.get(key) ?? new Uint8Array()]));
    if (marked.size === 0) {
      context.terminal.note(`${error.message}: merged`);
      if (merged.size === 0) return { kind: 'saved', secret: summary };
      return save(context, ref, { base: summary, based: own, mine: merged, note });
    }
    if (!isInputTerminal) throw error;
    return {
      kind: 'conflict',
      base: summary,
      based: own,
      marked: new Map([...own, ...merged, ...marked]),
      problem: error.message,
    };
  }
}
