import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CommandContext } from '../command.ts';
import { variable } from '../environment.ts';
import { Failure } from '../failure.ts';
import { memoryPlaces } from '../run/mount.ts';
import { isSame, type Values } from '../secrets/secrets.ts';

/** A terminal sends these to the editor and to this process: on a busy machine, here only after the editor has ended. */
const FROM_KEYS = ['SIGINT', 'SIGQUIT'] as const;
const LATE_SIGNAL_MS = 100;

/** The values of a Secret as files of this user alone, for an editor. */
export interface EditedFiles {
  /**
   * Opens the editor, and returns what differs from `before` afterwards; nothing when it left the files as they were.
   * @throws {Failure}
   */
  edit(before: Values): Promise<Values>;
  write(values: Values): void;
  remove(): void;
}

/** Made without a pause, and removed at the exit of this process if not before. */
export function editFiles({ environment, terminal }: CommandContext, values: Values): EditedFiles {
  const { candidates, isInMemory } = memoryPlaces(environment);
  const place = candidates.find(isInMemory);
  const folder = mkdtempSync(join(place ?? tmpdir(), 'secretsctl-edit-'));
  const remove = () => {
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', remove);
  if (place === undefined)
    terminal.note('No storage in memory was found: the values are on a disk until the end.');
  let shown = values;
  const files: EditedFiles = {
    async edit(before) {
      // Ctrl-C and Ctrl-\ are the editor's while it is open.
      const leave = () => undefined;
      for (const signal of FROM_KEYS) process.on(signal, leave);
      try {
        await openEditor(
          environment,
          [...shown.keys()].map((key) => join(folder, key)),
        );
      } finally {
        await sleep(LATE_SIGNAL_MS);
        for (const signal of FROM_KEYS) process.off(signal, leave);
      }
      const now = contents(folder, shown);
      return isLeft(now, shown)
        ? new Map()
        : new Map([...now].filter(([key, value]) => !isSame(value, before.get(key))));
    },
    write(content) {
      shown = content;
      for (const [key, value] of content) writeFileSync(join(folder, key), value, { mode: 0o600 });
    },
    remove() {
      remove();
      process.off('exit', remove);
    },
  };
  files.write(values);
  return files;
}

/** The variable may have arguments, as in `code --wait`. No shell stays in between: Ctrl-C would end it, whatever the editor does. */
async function openEditor(
  environment: CommandContext['environment'],
  files: readonly string[],
): Promise<void> {
  const editor = variable(environment, 'VISUAL') ?? variable(environment, 'EDITOR') ?? 'vi';
  const args = isVim(editor) ? [...VIM_OPTIONS, ...files] : files;
  const child = spawn('/bin/sh', ['-c', `exec env ${editor} "$@"`, 'sh', ...args], { stdio: 'inherit' });
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', () => {
      resolve(null);
    });
    child.once('close', resolve);
  });
  if (code !== 0) throw new Failure('error', 'the editor failed: nothing was saved', 'Set VISUAL or EDITOR.');
}

/** Without viminfo, which would keep deleted and copied text, nor swap, backup and undo files, whatever vimrc says. */
const VIM_OPTIONS = ['-i', 'NONE', '-n', '-c', 'set nobackup nowritebackup noundofile'];

/** Also Neovim. What is called vi may be another editor, which takes none of its options. */
function isVim(editor: string): boolean {
  const [program = ''] = editor.trim().split(/\s/);
  if (!/(?:^|\/)n?vim?$/.test(program)) return false;
  const { stdout } = spawnSync(program, ['--version'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 5_000,
  });
  return /^N?VIM /.test(String(stdout));
}

function contents(folder: string, shown: Values): Values {
  const read = ([key, was]: readonly [string, Uint8Array]) =>
    [key, withoutAddedBreak(contentOf(join(folder, key)) ?? was, was)] as const;
  return new Map([...shown].map(read));
}

const isLeft = (now: Values, shown: Values) =>
  [...now].every(([key, value]) => isSame(value, shown.get(key)));

/** A file that was removed changes nothing: keys are removed by `unset`. */
function contentOf(file: string): Uint8Array | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

const [CR, LF] = [13, 10];

function withoutAddedBreak(value: Uint8Array, was: Uint8Array): Uint8Array {
  if (value.at(-1) !== LF || was.at(-1) === LF) return value;
  const isCrlf = value.at(-2) === CR && Buffer.from(was).includes('\r\n');
  return value.subarray(0, isCrlf ? -2 : -1);
}
