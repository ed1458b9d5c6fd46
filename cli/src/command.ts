import { parseArgs } from 'node:util';
import { usage } from './failure.ts';
import type { Environment } from './environment.ts';
import type { Service } from './service/service.ts';
import type { Terminal } from './terminal/terminal.ts';

export interface OptionSpec {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  readonly multiple?: true;
  /** What the value is called in the help. */
  readonly value?: string;
  readonly summary: string;
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

type ValueOf<Spec extends OptionSpec> = Spec extends { readonly type: 'boolean' }
  ? boolean
  : Spec extends { readonly multiple: true }
    ? readonly string[]
    : string | undefined;

export type OptionValues<Specs extends OptionSpecs> = {
  readonly [Name in keyof Specs]: ValueOf<Specs[Name]>;
};

/** Of every command. */
export const COMMON_OPTIONS = {
  server: { type: 'string', value: 'URL', summary: 'the address of the service' },
  'token-file': {
    type: 'string',
    value: 'FILE',
    summary: 'a file with a bearer token, read for each request',
  },
  namespace: { type: 'string', short: 'n', value: 'NAMESPACE', summary: 'the namespace' },
  help: { type: 'boolean', short: 'h', summary: 'explain the command' },
} as const satisfies OptionSpecs;

export type CommonValues = OptionValues<typeof COMMON_OPTIONS>;

export const OUTPUT = {
  output: { type: 'string', short: 'o', value: 'json', summary: 'JSON, for programs' },
} as const satisfies OptionSpecs;

/** Of every command that writes. */
export const WRITE = {
  note: { type: 'string', value: 'TEXT', summary: 'a note for the history' },
  'dry-run': { type: 'boolean', summary: 'say what would be done, and do nothing' },
} as const satisfies OptionSpecs;

/** What a command works with. */
export interface CommandContext {
  readonly terminal: Terminal;
  readonly environment: Environment;
  readonly common: CommonValues;
  /** The service, with a token. @throws {Failure} without an address or a token */
  readonly service: () => Service;
  /** @throws {Failure} when none is named */
  readonly namespace: () => string;
}

export interface CommandArguments<Specs extends OptionSpecs> {
  readonly positionals: readonly string[];
  /** After `--`, where the command takes that. */
  readonly rest: readonly string[];
  readonly options: OptionValues<Specs>;
}

/** One record for each command: it is parsed, run, explained, completed and documented by it. */
export interface Command<Specs extends OptionSpecs = OptionSpecs> {
  readonly name: string;
  readonly summary: string;
  /** The positional arguments, as in `NAME [KEY]`. */
  readonly usage: string;
  readonly min: number;
  readonly max: number;
  /** `--` and a command line are required. */
  readonly takesCommand?: true;
  /** Paragraphs. */
  readonly details: readonly string[];
  readonly options: Specs;
  readonly examples: readonly string[];
  /** @returns the exit code; 0 where there is none */
  run(context: CommandContext, args: CommandArguments<Specs>): Promise<number | undefined>;
}

/** Checks the options of `run` against the specification. */
export function command<Specs extends OptionSpecs>(spec: Command<Specs>): Command {
  return spec;
}

export interface ParsedCommand {
  readonly args: CommandArguments<OptionSpecs>;
  readonly common: CommonValues;
}

/** @throws {Failure} that names the option, never a value: it may be of a Secret */
export function parseCommand(spec: Command, argv: readonly string[]): ParsedCommand {
  const at = spec.takesCommand === true ? argv.indexOf('--') : -1;
  const own = at === -1 ? argv : argv.slice(0, at);
  const options = { ...COMMON_OPTIONS, ...spec.options };
  const { values, positionals } = parsed(spec, own, options);
  const common = values as CommonValues;
  const rest = at === -1 ? [] : argv.slice(at + 1);
  if (!common.help) requireArguments(spec, positionals, rest);
  return { args: { positionals, rest, options: values as OptionValues<OptionSpecs> }, common };
}

interface Parsed {
  readonly values: unknown;
  readonly positionals: readonly string[];
}

function parsed(spec: Command, argv: readonly string[], options: OptionSpecs): Parsed {
  const config = Object.fromEntries(
    Object.entries(options).map(([name, { type, short, multiple = false }]) => [
      name,
      { type, multiple, ...(short === undefined ? {} : { short }) },
    ]),
  );
  try {
    const result = parseArgs({ args: [...argv], options: config, allowPositionals: true, strict: true });
    const unset = Object.entries(options).map(([name, { type, multiple }]) => [
      name,
      type === 'boolean' ? false : multiple === true ? [] : undefined,
    ]);
    const values: unknown = { ...Object.fromEntries(unset), ...result.values };
    return { values, positionals: result.positionals };
  } catch (error) {
    throw misused(spec, error, argv, options);
  }
}

const hintFor = ({ name }: Command) => `"secretsctl ${name} --help" explains it.`;

/** In words of our own: those of the parser quote what was given. */
function misused(spec: Command, error: unknown, argv: readonly string[], options: OptionSpecs): Error {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const names = argv.flatMap((arg) => /^--([a-z][a-z-]*)/.exec(arg)?.[1] ?? []);
    const unknown = names.find((name) => !Object.hasOwn(options, name));
    const which = unknown === undefined ? 'an option' : `the option --${unknown}`;
    return usage(`${spec.name} does not know ${which}`, hintFor(spec));
  }
  if (code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') {
    return usage('an option needs a value, or has one that it does not take', hintFor(spec));
  }
  return usage('the arguments cannot be parsed', hintFor(spec));
}

function requireArguments(spec: Command, positionals: readonly string[], rest: readonly string[]): void {
  const { length } = positionals;
  const isMissing = length < spec.min || (spec.takesCommand === true && rest.length === 0);
  if (!isMissing && length <= spec.max) return;
  const form = `secretsctl ${spec.name} ${spec.usage}`.trim();
  throw usage(`${isMissing ? 'an argument is missing' : 'too many arguments'}: ${form}`, hintFor(spec));
}
