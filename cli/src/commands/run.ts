import { command } from '../command.ts';
import { readSecret, refOf } from '../secrets/secrets.ts';
import { NOT_STARTED } from '../run/child.ts';
import { run as runCommand } from '../run/run.ts';
import { Failure } from '../failure.ts';

export const run = command({
  name: 'run',
  summary: 'Run a command with the values of Secrets as its environment',
  usage: 'NAME… -- COMMAND [ARG…]',
  min: 1,
  max: 20,
  takesCommand: true,
  details: [
    'Each key becomes a variable of the child alone. Keys that are no names of variables are refused, and so are PATH, LD_*, NODE_OPTIONS and others that are known to run code, unless --allow names them. --only passes no other keys.',
    'Signals are forwarded, and the exit code is that of the command; 125 when it was not started, 126 when it cannot be executed, 127 when it is not found. In the foreground of a terminal, INT, HUP, QUIT and WINCH are not forwarded, also from elsewhere: the terminal itself sends them to the command.',
  ],
  options: {
    only: { type: 'string', multiple: true, value: 'KEY', summary: 'only this key; may be repeated' },
    prefix: { type: 'string', value: 'TEXT', summary: 'before each name' },
    allow: {
      type: 'string',
      multiple: true,
      value: 'NAME',
      summary: 'a variable that is refused otherwise; may be repeated',
    },
    'allow-clash': { type: 'boolean', summary: 'of two keys with one name, take that of the later Secret' },
    'no-inherit-env': {
      type: 'boolean',
      summary: 'pass nothing of this environment but PATH, HOME, TERM and the like',
    },
    mount: {
      type: 'string',
      value: 'DIR',
      summary: 'files in a new folder, in memory, in place of variables',
    },
    mask: { type: 'boolean', summary: 'hide values of six characters and more in the output' },
  },
  examples: [
    'secretsctl run -n team-a database -- ./migrate',
    'secretsctl run -n team-a database --prefix DB_ --only password --mask -- env',
    'secretsctl run -n team-a web --mount ./certs -- nginx -c nginx.conf',
  ],
  async run(context, { positionals, rest: [program = '', ...args], options }) {
    const { terminal, environment } = context;
    try {
      const refs = positionals.map((name) => refOf(context, name));
      const service = context.service();
      return await runCommand(
        {
          ...{ command: program, args, only: options.only, prefix: options.prefix ?? '' },
          ...{ allow: new Set(options.allow), allowClash: options['allow-clash'] },
          ...{ inherit: !options['no-inherit-env'], mask: options.mask },
          ...(options.mount === undefined ? {} : { mount: options.mount }),
        },
        {
          environment,
          warn: (message) => {
            terminal.note(`secretsctl: ${message}`);
          },
          read: (aborted) =>
            Promise.all(
              refs.map(async (ref) => ({
                name: ref.name,
                values: (await readSecret(service, ref, aborted)).values,
              })),
            ),
        },
      );
    } catch (error) {
      // Before the child is there, each failure is 125: the other codes are the child's.
      if (!(error instanceof Failure)) throw error;
      terminal.note(`secretsctl: ${error.message}`);
      if (error.hint !== undefined) terminal.note(error.hint);
      return NOT_STARTED;
    }
  },
});
