import { constants, createReadStream, fstatSync, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { isValidKey, KEY_RULE } from '../../../src/contract/keys.ts';
import { textOf } from '../../../src/contract/text.ts';
import { Failure, usage } from '../failure.ts';
import { received, type Terminal } from '../terminal/terminal.ts';
import type { Values } from './secrets.ts';

/**
 * The values of `KEY=-` and `KEY=@FILE`. A value itself is no argument: every process of the computer could read it.
 * @throws {Failure}
 */
export async function readAssignments(terminal: Terminal, assignments: readonly string[]): Promise<Values> {
  const sources = assignments.map(parseAssignment);
  const fromInput = sources.filter(({ file }) => file === undefined);
  if (fromInput.length > 1) throw usage('only one key can be read from standard input');
  const values = new Map<string, Uint8Array>();
  for (const { key, file } of sources) {
    if (values.has(key)) throw usage(`the key ${key} is given twice`);
    const what = `the value of ${key}`;
    values.set(key, await (file === undefined ? terminal.read(what) : contentOf(file, what)));
  }
  for (const { key } of fromInput) noteLineBreak(terminal, key, values.get(key));
  return values;
}

interface Source {
  readonly key: string;
  /** Undefined for standard input. */
  readonly file: string | undefined;
}

function parseAssignment(text: string): Source {
  const at = text.indexOf('=');
  const key = text.slice(0, at);
  const from = text.slice(at + 1);
  if (at === -1) throw usage('a key is given as KEY=- or KEY=@FILE');
  if (!isValidKey(key)) throw usage(KEY_RULE);
  if (from === '-') return { key, file: undefined };
  if (from.startsWith('@') && from.length > 1) return { key, file: from.slice(1) };
  const hint =
    'An argument can be read by every process of this computer, and stays in the history of the shell.';
  throw usage(`${key}: a value comes from standard input (${key}=-) or a file (${key}=@FILE)`, hint);
}

/** A FIFO may have no writer yet: a thread that waits for one would keep this process from its exit after Ctrl-C. */
async function contentOf(file: string, what: string): Promise<Uint8Array> {
  try {
    const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    return await received(fstatSync(fd).isFIFO() ? new Socket({ fd }) : createReadStream('', { fd }), what);
  } catch (error) {
    if (error instanceof Failure) throw error;
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new Failure('error', `the file ${file} cannot be read${code}`);
  }
}

const LINE_BREAK = 10;

/** `echo` adds a line break that few people want. */
function noteLineBreak(terminal: Terminal, key: string, value: Uint8Array | undefined): void {
  const firstBreak = value?.indexOf(LINE_BREAK) ?? -1;
  if (firstBreak !== -1 && firstBreak + 1 === value?.byteLength)
    terminal.note(`note: the value of ${key} ends with a line break; printf writes none`);
}

/** As the API takes them: text as it is, everything else as base64. */
export function splitValues(values: Values) {
  const text: [string, string][] = [];
  const binary: [string, string][] = [];
  for (const [key, value] of values) {
    const asText = textOf(value);
    if (asText === undefined) binary.push([key, Buffer.from(value).toString('base64')]);
    else text.push([key, asText]);
  }
  return {
    ...(text.length === 0 ? {} : { text: Object.fromEntries(text) }),
    ...(binary.length === 0 ? {} : { binary: Object.fromEntries(binary) }),
  };
}
