import { COMMON_OPTIONS, type Command, type OptionSpecs } from '../src/command.ts';
import { EXIT, EXIT_MEANINGS } from '../src/failure.ts';
import { spelling } from '../src/help.ts';
import { VARIABLES } from './variables.ts';

/** The commands as a man page: man(7) macros, one section for each thing that people look for. */
export function manPage(commands: readonly Command[], version: string): string {
  return `${[
    `.TH SECRETSCTL 1 "" "secretsctl ${version}" "Secrets Management Service"`,
    '.SH NAME',
    'secretsctl \\- manage Kubernetes Secrets through the Secrets Management Service',
    '.SH SYNOPSIS',
    '.B secretsctl',
    '\\fICOMMAND\\fR [\\fIOPTION\\fR...] [\\fIARGUMENT\\fR...]',
    '.SH OPTIONS OF EVERY COMMAND',
    ...optionLines(COMMON_OPTIONS),
    '.SH COMMANDS',
    ...commands.flatMap(commandLines),
    '.SH EXIT STATUS',
    ...Object.entries(EXIT).flatMap(([name, code]) =>
      term(String(code), EXIT_MEANINGS[name as keyof typeof EXIT]),
    ),
    '.SH ENVIRONMENT',
    ...VARIABLES.flatMap(([name, meaning]) => term(name, meaning)),
  ].join('\n')}\n`;
}

function commandLines({ name, usage, summary, details, options, examples }: Command): readonly string[] {
  return [
    `.SS ${escaped(`secretsctl ${name} ${usage}`.trim())}`,
    `${escaped(summary)}.`,
    ...details.flatMap((paragraph) => ['.PP', escaped(paragraph)]),
    ...optionLines(options),
    ...(examples.length === 0 ? [] : ['.PP', '.EX', ...examples.map(escaped), '.EE']),
  ];
}

const optionLines = (options: OptionSpecs) =>
  Object.entries(options).flatMap(([name, spec]) => term(spelling(name, spec), spec.summary));

const term = (name: string, text: string) => ['.TP', `.B ${escaped(name)}`, escaped(text)];

/** A line that begins with a dot or a quote is a macro, and a backslash and a hyphen have a meaning in a line. */
const escaped = (text: string) =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '...')
    .replace(/^(?=[.'])/, '\\&');
