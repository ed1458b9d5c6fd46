import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { run } from '../../src/run/run.ts';

// `run` with the Secrets of a file, as a process of its own: `node run-command.ts FILE -- COMMAND`.

/** What the file holds. Values are Base64. */
export interface RunFile {
  readonly secrets: readonly { readonly name: string; readonly values: Readonly<Record<string, string>> }[];
  readonly only?: readonly string[];
  readonly prefix?: string;
  readonly allow?: readonly string[];
  readonly allowClash?: boolean;
  readonly inherit?: boolean;
  readonly mask?: boolean;
  readonly mount?: string;
  /** How long reading takes. */
  readonly readMs?: number;
}

const [file = '', , command = '', ...args] = process.argv.slice(2);
const given = JSON.parse(readFileSync(file, 'utf8')) as RunFile;

process.exitCode = await run(
  {
    command,
    args,
    only: given.only ?? [],
    prefix: given.prefix ?? '',
    allow: new Set(given.allow),
    allowClash: given.allowClash ?? false,
    inherit: given.inherit ?? true,
    mask: given.mask ?? false,
    ...(given.mount === undefined ? {} : { mount: given.mount }),
  },
  {
    environment: process.env,
    read: async (signal) => {
      process.stderr.write('reading\n');
      await setTimeout(given.readMs ?? 0, undefined, { signal });
      return given.secrets.map(({ name, values }) => ({
        name,
        values: new Map(Object.entries(values).map(([key, value]) => [key, Buffer.from(value, 'base64')])),
      }));
    },
    warn: (message) => {
      process.stderr.write(`secretsctl: ${message}\n`);
    },
  },
);
