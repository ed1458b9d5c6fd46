import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { spelledOut } from '../../../src/contract/printable.ts';
import { Failure, usage } from '../failure.ts';

/** Standard input, output and error. */
export interface Terminal {
  /** Text or bytes as they are, to standard output. */
  write(content: string | Uint8Array): void;
  /** A line to standard output; control characters of names and notes are spelled out. */
  line(text: string, colour?: Colour): void;
  /** A line to standard error, likewise. */
  note(text: string): void;
  readonly isOutputTerminal: boolean;
  readonly isInputTerminal: boolean;
  /** All of standard input; without an echo of what is typed where it is a terminal. @throws {Failure} beyond the bound */
  read(what: string): Promise<Uint8Array>;
  /** One line, typed after a question on standard error. @throws {Failure} where no one can type */
  question(text: string): Promise<string>;
}

const COLOURS = { bold: 1, red: 31, green: 32, yellow: 33 } as const;
export type Colour = keyof typeof COLOURS;

/** No Secret has more. */
const MAX_INPUT_BYTES = 1_048_576;

/** Within this, a terminal has sent all lines of what was pasted. */
const PASTE_MS = 50;

type Input = Readable & { readonly isTTY?: boolean; setRawMode?: (raw: boolean) => unknown };
type Output = Writable & { readonly isTTY?: boolean };

export interface Streams {
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
}

export function createTerminal({ stdin, stdout, stderr }: Streams, noColor: string | undefined): Terminal {
  const isInputTerminal = stdin.isTTY === true;
  const isOutputTerminal = stdout.isTTY === true;
  const hasColours = isOutputTerminal && (noColor === undefined || noColor === '');
  const note = (text: string) => void stderr.write(`${spelledLines(text)}\n`);
  return {
    write: (content) => void stdout.write(content),
    line(text, colour) {
      const spelled = spelledLines(text);
      const isColoured = colour !== undefined && hasColours;
      stdout.write(isColoured ? `\u001b[${COLOURS[colour]}m${spelled}\u001b[0m\n` : `${spelled}\n`);
    },
    note,
    isInputTerminal,
    isOutputTerminal,
    async read(what) {
      if (isInputTerminal) return Buffer.from(await typed(stdin, stderr, `${what}, not shown: `, false));
      return received(stdin, what);
    },
    async question(text) {
      if (!isInputTerminal) throw usage('no one can answer a question here', 'Use --yes.');
      return typed(stdin, stderr, text, true);
    },
  };
}

const spelledLines = (text: string) => text.split('\n').map(spelledOut).join('\n');

/** All of a stream. @throws {Failure} beyond the bound */
export async function received(stdin: Readable, what: string): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of stdin as AsyncIterable<Uint8Array>) {
    bytes += piece.byteLength;
    if (bytes > MAX_INPUT_BYTES) throw new Failure('error', `${what} is larger than a Secret can be (1 MiB)`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** A line that is typed. What is read without an echo is in no history of a terminal either. */
async function typed(stdin: Input, stderr: Output, text: string, isShown: boolean): Promise<string> {
  const output = isShown ? { output: stderr, prompt: text } : {};
  // It ends the terminal's own echo. Whoever reads the text may have typed already.
  const lines = createInterface({ input: stdin, ...output, terminal: true, historySize: 0 });
  if (isShown) lines.prompt();
  else stderr.write(text);
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('line', (line) => {
        if (isShown) resolve(line);
        else {
          // Ctrl-C still counts meanwhile.
          void restOf(lines).then((rest) => {
            if (rest === '') resolve(line);
            else reject(severalLines());
          });
        }
      });
      lines.once('SIGINT', () => {
        reject(new Interrupted());
      });
      lines.once('close', () => {
        reject(new Failure('error', 'cancelled'));
      });
    });
  } finally {
    lines.close();
    if (!isShown) stderr.write('\n');
  }
}

/** What was pasted after a line, without its line breaks. */
async function restOf(lines: Interface): Promise<string> {
  let rest = '';
  lines.on('line', (line) => (rest += line));
  await sleep(PASTE_MS);
  return rest + lines.line;
}

/** The first line alone is half of a key. The others have been read here: a shell would take them for commands. */
const severalLines = () =>
  usage(
    'more than one line was pasted: nothing of it was used',
    'A value of several lines comes from a file: KEY=@FILE.',
  );

/** Ctrl-C while something is typed: the terminal does not send a signal then. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}
