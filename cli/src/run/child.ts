import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import type { Mask } from './mask.ts';

/** Exit codes before the child has started, as of env(1) and `docker run`. */
export const NOT_STARTED = 125;
const NOT_EXECUTABLE = 126;
const NOT_FOUND = 127;

export interface ChildCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: ReadonlyMap<string, string>;
  /** Makes a mask for each of stdout and stderr; without one the child has the streams of this process itself. */
  readonly mask?: () => Mask;
}

export type ChildEnd =
  | { readonly kind: 'ended'; readonly exitCode: number }
  | { readonly kind: 'not-started'; readonly exitCode: number; readonly problem: string };

const ENDING: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];
const SIGNALS: readonly NodeJS.Signals[] = [...ENDING, 'SIGUSR1', 'SIGUSR2', 'SIGWINCH'];
/** A terminal sends these to every process of its foreground group: the child has them already. */
const FROM_TERMINAL: readonly NodeJS.Signals[] = ['SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGWINCH'];

/** Whether this process is in the foreground of a terminal: proc(5), the fields pgrp, tty_nr and tpgid of stat. */
export const isForeground = (): boolean => {
  try {
    const stat = readFileSync('/proc/self/stat', 'latin1');
    const [, , group, , terminal, foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return terminal !== '0' && group === foreground;
  } catch {
    return process.stdin.isTTY || process.stderr.isTTY;
  }
};

export interface SignalRelay {
  /** The exit code of a signal that arrived before there was a child. */
  interrupted(): number | undefined;
  /** The exit code of a signal that ended the copy of the output of a child that had ended. */
  cut(): number | undefined;
  /** Aborted by that signal: what is done before there is a child ends. */
  readonly aborted: AbortSignal;
  forwardTo(child: ChildProcess): void;
  close(): void;
}

const exitCodeOf = (signal: NodeJS.Signals): number => 128 + constants.signals[signal];

/** Listens from now on: no signal ends this process before it has removed its files. */
export const relaySignals = (foreground: () => boolean = isForeground): SignalRelay => {
  let interrupted: NodeJS.Signals | undefined;
  let target: ChildProcess | undefined;
  let cut: NodeJS.Signals | undefined;
  const abort = new AbortController();
  const listener = (signal: NodeJS.Signals): void => {
    if (target === undefined) {
      if (!ENDING.includes(signal)) return;
      interrupted ??= signal;
      abort.abort();
    } else if (target.exitCode !== null || target.signalCode !== null) {
      // Only what it left running, or a reader that waits, still has its masked output.
      if (!ENDING.includes(signal)) return;
      cut ??= signal;
      target.stdout?.destroy();
      target.stderr?.destroy();
    } else if (!(FROM_TERMINAL.includes(signal) && foreground())) target.kill(signal);
  };
  for (const signal of SIGNALS) process.on(signal, listener);
  return {
    aborted: abort.signal,
    cut: () => (cut === undefined ? undefined : exitCodeOf(cut)),
    interrupted: () => (interrupted === undefined ? undefined : exitCodeOf(interrupted)),
    forwardTo: (child) => {
      target = child;
      if (interrupted !== undefined) child.kill(interrupted);
    },
    close: () => {
      for (const signal of SIGNALS) process.off(signal, listener);
    },
  };
};

/** Copies a stream through a mask, at the speed of whoever reads it. A reader that has gone ends the copy, not the child. */
const copyMasked = async (from: Readable, to: Writable, mask: Mask): Promise<void> => {
  const reader = { gone: false };
  const onError = (): void => {
    reader.gone = true;
    from.destroy();
  };
  // It stays: the error of the last write may come after the end of the copy.
  to.on('error', onError);
  const write = async (bytes: Uint8Array): Promise<void> => {
    if (reader.gone || bytes.length === 0) return;
    await new Promise<void>((resolve) =>
      to.write(bytes, () => {
        resolve();
      }),
    );
  };
  try {
    for await (const chunk of from as AsyncIterable<Uint8Array>) await write(mask.write(chunk));
  } catch (error) {
    // The copy was ended on purpose, by a signal or since no one reads it.
    if (!from.destroyed || from.errored !== null) throw error;
  }
  await write(mask.end());
};

const notStarted = (command: string, error: NodeJS.ErrnoException): ChildEnd => {
  const end = (exitCode: number, problem: string): ChildEnd => ({ kind: 'not-started', exitCode, problem });
  switch (error.code) {
    case 'ENOENT':
      return end(NOT_FOUND, `${command}: command not found`);
    case 'EACCES':
    case 'ENOEXEC':
    case 'EISDIR':
      return end(NOT_EXECUTABLE, `${command}: cannot be executed`);
    case 'E2BIG':
      return end(NOT_STARTED, 'the environment is larger than the system allows; use --only or --mount');
    default:
      return end(NOT_STARTED, `${command}: cannot be started (${error.code ?? 'unknown error'})`);
  }
};

const waitForExit = (child: ChildProcess, command: string): Promise<ChildEnd> =>
  new Promise((resolve) => {
    // Each signal that the child may not be sent is one, too.
    child.on('error', (error) => {
      if (child.pid === undefined) resolve(notStarted(command, error));
    });
    child.once('exit', (code, signal) => {
      resolve({ kind: 'ended', exitCode: signal === null ? (code ?? NOT_STARTED) : exitCodeOf(signal) });
    });
  });

const start = ({ command, args, environment, mask }: ChildCommand): ChildProcess => {
  const output = mask === undefined ? 'inherit' : 'pipe';
  // The same process group: the child stays in the foreground of the terminal, can read it, and stops with Ctrl-Z.
  return spawn(command, args, {
    env: Object.fromEntries(environment),
    stdio: ['inherit', output, output],
  });
};

/** Runs the child to its end. `relay` has been listening since before the first value was read. */
export const runChild = async (options: ChildCommand, relay: SignalRelay): Promise<ChildEnd> => {
  const interrupted = relay.interrupted();
  if (interrupted !== undefined) {
    return { kind: 'not-started', exitCode: interrupted, problem: 'interrupted before the command started' };
  }
  let child: ChildProcess;
  try {
    child = start(options);
  } catch (error) {
    // Node throws what it finds wrong itself, and E2BIG; the text may quote arguments.
    return notStarted(options.command, error instanceof Error ? error : new Error());
  }
  relay.forwardTo(child);
  const ended = waitForExit(child, options.command);
  if (
    options.mask !== undefined &&
    child.pid !== undefined &&
    child.stdout !== null &&
    child.stderr !== null
  ) {
    await Promise.all([
      copyMasked(child.stdout, process.stdout, options.mask()),
      copyMasked(child.stderr, process.stderr, options.mask()),
    ]);
    const exitCode = relay.cut();
    if (exitCode !== undefined) return { kind: 'ended', exitCode };
  }
  return await ended;
};
