import { constants } from 'node:os';
import { parseCommand, type CommandContext } from './command.ts';
import { COMMANDS } from './commands/commands.ts';
import { variable, type Environment } from './environment.ts';
import { EXIT, Failure, usage } from './failure.ts';
import { helpOf, helpOfCommand } from './help.ts';
import { connect } from './service/connect.ts';
import type { Service } from './service/service.ts';
import { Interrupted, type Terminal } from './terminal/terminal.ts';

/** Replaced when the file is bundled. */
declare const SECRETSCTL_VERSION: string | undefined;

/** Runs a command line, and returns its exit code. No error leaves it: a foreign one may have a value in its text. */
export async function secretsctl(
  argv: readonly string[],
  environment: Environment,
  terminal: Terminal,
): Promise<number> {
  try {
    return (await dispatch(argv, environment, terminal)) ?? EXIT.ok;
  } catch (error) {
    if (error instanceof Interrupted) return 128 + constants.signals.SIGINT;
    if (error instanceof Failure) {
      terminal.note(`secretsctl: ${error.message}`);
      if (error.hint !== undefined) terminal.note(error.hint);
      return error.exitCode;
    }
    const kind = error instanceof Error ? error.name : typeof error;
    terminal.note(`secretsctl: unexpected error (${kind}); please report it`);
    return EXIT.error;
  }
}

async function dispatch(argv: readonly string[], environment: Environment, terminal: Terminal) {
  const [name, ...rest] = argv;
  if (name === undefined || ['help', '--help', '-h'].includes(name)) {
    terminal.write(helpOf(COMMANDS));
    return name === undefined ? EXIT.usage : EXIT.ok;
  }
  if (name === '--version') {
    terminal.line(typeof SECRETSCTL_VERSION === 'string' ? SECRETSCTL_VERSION : 'unbundled');
    return EXIT.ok;
  }
  const spec = COMMANDS.find((one) => one.name === name);
  if (spec === undefined) throw usage('there is no such command', '"secretsctl --help" lists them.');
  const { args, common } = parseCommand(spec, rest);
  if (common.help) {
    terminal.write(helpOfCommand(spec));
    return EXIT.ok;
  }
  let service: Service | undefined;
  const context: CommandContext = {
    ...{ terminal, environment, common },
    service: () => (service ??= connect({ common, environment })),
    namespace() {
      const named = common.namespace ?? variable(environment, 'SECRETSCTL_NAMESPACE');
      if (named !== undefined) return named;
      throw usage(
        'which namespace?',
        'Name it with -n or SECRETSCTL_NAMESPACE; "secretsctl namespaces" lists yours.',
      );
    },
  };
  return spec.run(context, args);
}
