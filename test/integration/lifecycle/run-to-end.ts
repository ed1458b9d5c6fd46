import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ENTRY = new URL('../../../dist/main.js', import.meta.url).pathname;

export interface Ending {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The lines of the log on stderr. */
  readonly lines: readonly Readonly<Record<string, unknown>>[];
}

/**
 * Starts the built service with exactly this environment, in an empty home, and waits until it has ended by itself.
 * @param flags of Node
 */
export async function runToEnd(
  env: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
): Promise<Ending> {
  const home = mkdtempSync(join(tmpdir(), 'service-test-'));
  const child = spawn(process.execPath, [...flags, ENTRY], {
    env: { HOME: home, HOST: '127.0.0.1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString('utf8')));
  const [code] = (await once(child, 'close')) as [number | null];
  rmSync(home, { recursive: true });
  const lines = output.stderr.split('\n').filter((line) => line !== '');
  return { code, ...output, lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}
