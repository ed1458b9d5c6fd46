import { command, COMMON_OPTIONS, type Command } from '../command.ts';
import { usage } from '../failure.ts';

/** Words of the command table; names of Secrets are not looked up, since every Tab would be a request. */
export function completionCommand(commands: () => readonly Command[]): Command {
  return command({
    name: 'completion',
    summary: 'Write the completion of a shell',
    usage: 'bash|zsh|fish',
    min: 1,
    max: 1,
    details: [],
    options: {},
    examples: [
      'source <(secretsctl completion bash)',
      'secretsctl completion fish > ~/.config/fish/completions/secretsctl.fish',
    ],
    run({ terminal }, { positionals: [shell = ''] }) {
      const write = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
      if (write === undefined) throw usage('the shell must be bash, zsh or fish');
      terminal.write(write(commands()));
      return Promise.resolve(undefined);
    },
  });
}

const namesOf = (commands: readonly Command[]) => commands.map(({ name }) => name).join(' ');
const optionsOf = ({ options }: Command) =>
  Object.keys({ ...COMMON_OPTIONS, ...options })
    .map((name) => `--${name}`)
    .join(' ');

function bash(commands: readonly Command[]): string {
  const cases = commands.map((one) => `    ${one.name}) words="${optionsOf(one)}" ;;\n`).join('');
  return `_secretsctl() {
  local words="${namesOf(commands)}"
  if [ "$COMP_CWORD" -gt 1 ]; then
    case "\${COMP_WORDS[1]}" in
${cases}    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
  [ "\${#COMPREPLY[@]}" -gt 0 ] || COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _secretsctl secretsctl kubectl-secretsctl
`;
}

const SHELLS: Readonly<Record<string, (commands: readonly Command[]) => string>> = {
  bash,
  zsh: (commands) => `autoload -U +X bashcompinit && bashcompinit\n${bash(commands)}`,
  fish: (commands) =>
    [
      `complete -c secretsctl -n __fish_use_subcommand -f -a "${namesOf(commands)}"`,
      ...commands.flatMap((one) =>
        Object.entries({ ...COMMON_OPTIONS, ...one.options }).map(
          ([name, { summary }]) =>
            `complete -c secretsctl -n "__fish_seen_subcommand_from ${one.name}" -l ${name} -d ${JSON.stringify(summary)}`,
        ),
      ),
      '',
    ].join('\n'),
};
