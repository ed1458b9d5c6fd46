import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { eventually } from '../../test/harness/eventually.ts';

/** The command as it is installed: `npm run build:cli` makes it. */
export const COMMAND = path.join(import.meta.dirname, '..', 'dist', 'secretsctl.cjs');

export interface CommandRun {
  readonly environment: Readonly<Record<string, string>>;
  /** All of standard input; without it, it stays open for `type`. */
  readonly input?: string | Uint8Array;
  readonly cwd?: string;
  /** On a terminal of its own, made by script(1), whose output has what is typed and both streams. */
  readonly terminal?: boolean;
}

export interface EndedCommand {
  readonly exitCode: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface StartedCommand {
  readonly pid: number;
  readonly type: (text: string) => void;
  /** The first match in what was printed, on either stream. */
  readonly printed: (pattern: RegExp) => Promise<string>;
  readonly kill: (signal: NodeJS.Signals) => void;
  /** Its exit code, although children of it may still have its output open. */
  readonly exited: () => Promise<number | null>;
  readonly ended: () => Promise<EndedCommand>;
}

/** Starts the built command with nothing of this process's environment but PATH. */
export function startCommand(args: readonly string[], run: CommandRun): StartedCommand {
  if (!existsSync(COMMAND)) throw new Error('cli/dist is missing: npm run build:cli');
  const words = [process.execPath, COMMAND, ...args];
  const quoted = words.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');
  const [program = '', ...rest] =
    run.terminal === true ? ['script', '-qefc', `exec ${quoted}`, '/dev/null'] : words;
  const child = spawn(program, rest, {
    cwd: run.cwd,
    env: { PATH: process.env['PATH'], ...run.environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const pieces: Buffer[] = [];
  let stderr = '';
  child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
  child.stderr.on('data', (piece: Buffer) => (stderr += piece.toString()));
  child.stdin.on('error', () => undefined);
  if (run.input !== undefined) child.stdin.end(run.input);
  const closed = once(child, 'close');
  const exited = once(child, 'exit');
  const all = () => `${Buffer.concat(pieces).toString()}${stderr}`;
  return {
    pid: child.pid ?? 0,
    type: (text) => {
      child.stdin.write(text);
      if (run.terminal !== true) child.stdin.end();
    },
    printed: (pattern) =>
      eventually(() => {
        const [found] = pattern.exec(all()) ?? [];
        if (found === undefined) throw new Error(`not printed: ${pattern.source} in ${all()}`);
        return found;
      }),
    kill: (signal) => void child.kill(signal),
    exited: async () => {
      await exited;
      return child.exitCode;
    },
    async ended() {
      if (run.input === undefined && run.terminal !== true) child.stdin.end();
      await closed;
      return { exitCode: child.exitCode, stdout: Buffer.concat(pieces), stderr };
    },
  };
}
