import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { textOf } from '../../../src/contract/text.ts';
import { command, OUTPUT, type CommandContext } from '../command.ts';
import { Failure, usage } from '../failure.ts';
import { jsonOf, writeJson, writeTable } from '../terminal/table.ts';
import type { Terminal } from '../terminal/terminal.ts';
import {
  describe,
  readKey,
  readSecret,
  readVersion,
  refOf,
  versionOf,
  type SecretRef,
  type Values,
} from '../secrets/secrets.ts';

export const get = command({
  name: 'get',
  summary: 'Read one value, or a whole Secret',
  usage: 'NAME [KEY]',
  min: 1,
  max: 2,
  details: [
    'With KEY, the bytes of the value and nothing else. Without it, what the Secret is, without values; with -o, all its values:',
    '-o env (an .env text), -o json ({"KEY": "text"}, or {"KEY": {"base64": "…"}} for bytes that are no text), -o yaml (a manifest), -o dir=PATH (a new folder with one file for each key).',
  ],
  options: {
    output: { ...OUTPUT.output, value: 'env|json|yaml|dir=PATH', summary: 'all values, in this form' },
    version: { type: 'string', value: 'N', summary: 'of an archived version' },
  },
  examples: [
    'secretsctl get -n team-a database password',
    'secretsctl get -n team-a database -o env > .env',
    'secretsctl get -n team-a keystore keystore.jks > keystore.jks',
  ],
  async run(context, { positionals: [name = '', key], options }) {
    const ref = refOf(context, name);
    const version = options.version === undefined ? undefined : versionOf(options.version);
    if (key !== undefined) {
      if (options.output !== undefined) throw usage('one key is written as it is: leave out --output');
      writeValue(context, key, await readKey(context.service(), ref, key, version));
    } else if (options.output !== undefined) await writeAll(context, ref, version, options.output);
    else if (version !== undefined) throw usage('a version has values: name a KEY, or use --output');
    else await writeDescription(context, ref);
  },
});

function writeValue({ terminal }: CommandContext, key: string, value: Uint8Array): void {
  requireShowable(terminal, key, textOf(value));
  const isLine = !terminal.isOutputTerminal || value.at(-1) === 10;
  terminal.write(isLine ? value : Buffer.concat([value, Buffer.from('\n')]));
}

/** A text may have C1 controls, which begin commands of a terminal as Esc does. @throws {Failure} */
function requireShowable({ isOutputTerminal }: Terminal, key: string, text: string | undefined): void {
  if (!isOutputTerminal || (text !== undefined && !/[\u0080-\u009f]/.test(text))) return;
  const hint = 'Redirect the output to a file or a program.';
  throw new Failure('error', `the value of ${key} is binary: it would disturb the terminal`, hint);
}

async function writeDescription({ service, terminal }: CommandContext, ref: SecretRef): Promise<void> {
  const secret = await describe(service(), ref);
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Name', `${secret.namespace}/${secret.name}`],
    ['Type', secret.type],
    ['Description', secret.description || undefined],
    ['Version', String(secret.version)],
    ['Changed', secret.lastModifiedAt ?? secret.creationTimestamp],
    ['By', secret.lastModifiedBy],
    [
      'Controlled by',
      secret.controlledBy && `${secret.controlledBy.kind} ${secret.controlledBy.name ?? ''}`.trim(),
    ],
    ['Expires', secret.certificateNotAfter ?? secret.expiresAt],
    ['Value expires', secret.valueExpiresAt],
    ['Rotation due', secret.rotationDueAt],
  ];
  for (const [term, text] of facts) if (text !== undefined) terminal.line(`${`${term}:`.padEnd(15)}${text}`);
  const rows = secret.keys.map((key) => [key, secret.binaryKeys.includes(key) ? 'binary' : 'text']);
  terminal.line('');
  writeTable(terminal, ['KEY', 'VALUE'], rows);
}

async function writeAll(
  context: CommandContext,
  ref: SecretRef,
  version: number | undefined,
  output: string,
): Promise<void> {
  const folder = /^dir=(.+)$/.exec(output)?.[1];
  if (folder === undefined && !['env', 'json', 'yaml'].includes(output)) {
    throw usage('--output must be env, json, yaml or dir=PATH');
  }
  const live = await (version === undefined
    ? readSecret(context.service(), ref)
    : describe(context.service(), ref).then((summary) => ({ summary, values: undefined })));
  const values = live.values ?? (await readVersion(context.service(), ref, version ?? 0)).values;
  if (folder !== undefined) writeFolder(folder, values);
  else if (output === 'json') writeJson(context.terminal, Object.fromEntries([...values].map(jsonEntry)));
  else if (output === 'yaml') context.terminal.write(manifestOf(ref, live.summary.type, values));
  else context.terminal.write(dotenvOf(context, values));
}

function jsonEntry([key, value]: readonly [string, Uint8Array]) {
  const text = textOf(value);
  return [key, text ?? { base64: Buffer.from(value).toString('base64') }] as const;
}

/** JSON texts are YAML, too. */
function manifestOf({ namespace, name }: SecretRef, type: string, values: Values): string {
  const data = [...values].map(
    ([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(Buffer.from(value).toString('base64'))}\n`,
  );
  const head = `apiVersion: v1\nkind: Secret\nmetadata:\n  name: ${JSON.stringify(name)}\n  namespace: ${JSON.stringify(namespace)}\n`;
  return `${head}type: ${jsonOf(type)}\n${data.length === 0 ? 'data: {}\n' : `data:\n${data.join('')}`}`;
}

/** In single quotes nothing is substituted; a value that has one is in double quotes, as Docker Compose and dotenv read them. */
function dotenvOf({ terminal }: CommandContext, values: Values): string {
  const lines: string[] = [];
  const leftOut: string[] = [];
  for (const [key, value] of values) {
    const text = textOf(value);
    const line = text === undefined ? undefined : dotenvLine(key, text);
    if (line !== undefined) requireShowable(terminal, key, text);
    if (line === undefined) leftOut.push(key);
    else lines.push(line);
  }
  if (leftOut.length > 0) terminal.note(`An .env text cannot have: ${leftOut.join(', ')}`);
  return lines.map((line) => `${line}\n`).join('');
}

function dotenvLine(key: string, text: string): string | undefined {
  // A backslash at the end would hide the quote that ends it from dotenv.
  if (!/['\r]|\\$/.test(text)) return `${key}='${text}'`;
  // What readers make of escapes in double quotes differs.
  if (/["\\$`\r]/.test(text)) return undefined;
  return `${key}="${text}"`;
}

/** All of it or nothing; without a pause in which a signal could end it half-way. */
function writeFolder(folder: string, values: Values): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch {
    throw new Failure('error', `the folder ${folder} cannot be made: it must be new`);
  }
  try {
    for (const [key, value] of values) writeFileSync(join(folder, key), value, { mode: 0o600, flag: 'wx' });
  } catch {
    rmSync(folder, { recursive: true, force: true });
    throw new Failure('error', `the files cannot be written to ${folder}`);
  }
}
