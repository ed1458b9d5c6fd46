import { COMMON_OPTIONS, type Command, type OptionSpec, type OptionSpecs } from './command.ts';
import { EXIT } from './failure.ts';

const WIDTH = 100;

export function helpOf(commands: readonly Command[]): string {
  const longest = Math.max(...commands.map(({ name }) => name.length));
  return [
    'Manage Kubernetes Secrets through the Secrets Management Service.',
    '',
    'Usage: secretsctl COMMAND [OPTION…] [ARGUMENT…]',
    '',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(longest)}  ${summary}`),
    '',
    'The service is --server, SECRETSCTL_SERVER, or the last one that was signed in to; the namespace is -n or',
    'SECRETSCTL_NAMESPACE. "secretsctl COMMAND --help" explains a command.',
    '',
    `Exit codes: ${Object.entries(EXIT)
      .map(([name, code]) => `${code} ${name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`)
      .join(', ')}.`,
    '',
  ].join('\n');
}

export function helpOfCommand({ name, summary, usage, details, options, examples }: Command): string {
  return [
    `${summary}.`,
    '',
    `Usage: ${`secretsctl ${name} ${usage}`.trim()}`,
    ...details.flatMap((paragraph) => ['', ...wrapped(paragraph, WIDTH)]),
    '',
    'Options:',
    ...optionLines(options),
    ...optionLines(COMMON_OPTIONS),
    ...(examples.length === 0 ? [] : ['', 'Examples:', ...examples.map((example) => `  ${example}`)]),
    '',
  ].join('\n');
}

export function spelling(name: string, { short, value, type }: OptionSpec): string {
  const long = type === 'string' ? `--${name} ${value ?? 'VALUE'}` : `--${name}`;
  return short === undefined ? long : `-${short}, ${long}`;
}

function optionLines(options: OptionSpecs): readonly string[] {
  return Object.entries(options).map(([name, spec]) => {
    const spelled = spelling(name, spec);
    const gap = spelled.length < 28 ? spelled.padEnd(28) : `${spelled}  `;
    return `  ${gap}${spec.summary}`;
  });
}

function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
