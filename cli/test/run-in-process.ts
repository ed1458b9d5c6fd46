import { Readable, Writable } from 'node:stream';
import type { Environment } from '../src/environment.ts';
import { secretsctl } from '../src/secretsctl.ts';
import { createTerminal } from '../src/terminal/terminal.ts';
import type { CommandRun, EndedCommand } from './start-command.ts';

/**
 * A command in this process, with pipes: to start one of its own takes longer than most commands. What concerns signals,
 * terminals, children or the built file is a matter of `startCommand`.
 */
export async function runInProcess(
  args: readonly string[],
  { environment, input = '' }: Pick<CommandRun, 'environment' | 'input'>,
): Promise<EndedCommand> {
  const stdout = collect();
  const stderr = collect();
  const streams = { stdin: Readable.from(Buffer.from(input)), stdout: stdout.stream, stderr: stderr.stream };
  const variables: Environment = { PATH: process.env['PATH'], ...environment };
  const exitCode = await secretsctl(args, variables, createTerminal(streams, variables['NO_COLOR']));
  return { exitCode, stdout: stdout.content(), stderr: stderr.content().toString() };
}

function collect() {
  const pieces: Buffer[] = [];
  const stream = new Writable({
    write(piece: Buffer, _encoding, done) {
      pieces.push(piece);
      done();
    },
  });
  return { stream, content: () => Buffer.concat(pieces) };
}
