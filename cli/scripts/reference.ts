import { COMMON_OPTIONS, type Command, type OptionSpecs } from '../src/command.ts';
import { EXIT, EXIT_MEANINGS } from '../src/failure.ts';
import { spelling } from '../src/help.ts';
import { VARIABLES } from './variables.ts';

/** The reference of cli/README.md. */
export function reference(commands: readonly Command[]): string {
  return [
    '## Commands',
    'Every command takes:',
    optionList(COMMON_OPTIONS),
    ...commands.flatMap(sectionOf),
    '## Exit codes',
    Object.entries(EXIT)
      .map(([name, code]) => `- \`${code}\`: ${EXIT_MEANINGS[name as keyof typeof EXIT]}`)
      .join('\n'),
    '`run` ends with the exit code of its command, and with 125 when it was not started.',
    '## Environment',
    VARIABLES.map(([name, meaning]) => `- \`${name.replaceAll(', ', '`, `')}\`: ${escaped(meaning)}`).join(
      '\n',
    ),
  ].join('\n\n');
}

function sectionOf({ name, usage, summary, details, options, examples }: Command): readonly string[] {
  return [
    `### \`${`${name} ${usage}`.trim()}\``,
    `${escaped(summary)}.`,
    ...details.map(escaped),
    ...(Object.keys(options).length === 0 ? [] : [optionList(options)]),
    ...(examples.length === 0
      ? []
      : [`\`\`\`console\n${examples.map((one) => `$ ${one}`).join('\n')}\n\`\`\``]),
  ];
}

const optionList = (options: OptionSpecs) =>
  Object.entries(options)
    .map(([name, spec]) => `- \`${spelling(name, spec)}\`: ${escaped(spec.summary)}`)
    .join('\n');

const escaped = (text: string) => text.replaceAll(/[_*<~]/g, String.raw`\$&`);
