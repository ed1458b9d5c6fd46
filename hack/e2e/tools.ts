import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { isListening } from '../is-listening.ts';

/** Programs and ports of the machine. */
export interface Tools {
  /** Whether something listens at this port of the loopback address. */
  isListening(port: number): Promise<boolean>;
  /** Whether the program runs here with these arguments, such as `docker info`. */
  works(program: string, args: readonly string[]): boolean;
  /**
   * Runs a program, whose output is seen.
   * @throws when it ends with anything but 0
   */
  run(program: string, args: readonly string[], env?: Readonly<Record<string, string>>): Promise<void>;
  /** Starts a program that runs until it is stopped, or ends by itself. */
  start(program: string, args: readonly string[]): Started;
}

export interface Started {
  readonly ended: Promise<unknown>;
  stop(): Promise<void>;
}

export const machineTools: Tools = {
  isListening,
  works: (program, args) => spawnSync(program, args, { stdio: 'ignore' }).status === 0,
  async run(program, args, env = {}) {
    const child = spawn(program, args, {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...env },
    });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`${program} ${args[0] ?? ''} ended with ${String(code)}`);
  },
  start(program, args) {
    const child = spawn(program, args, { stdio: 'ignore' });
    const ended = once(child, 'close');
    return {
      ended,
      async stop() {
        child.kill('SIGTERM');
        await ended;
      },
    };
  },
};
