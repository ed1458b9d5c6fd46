import { command, OUTPUT, type CommandContext } from '../command.ts';
import { Failure } from '../failure.ts';
import { writeJson } from '../terminal/table.ts';
import { signIn } from '../sign-in/sign-in.ts';
import { createCredentialStore } from '../service/credentials.ts';
import { createSend } from '../service/http.ts';
import { serverOf } from '../service/connect.ts';
import { wantsJson } from './list.ts';

export const login = command({
  name: 'login',
  summary: 'Sign in with the browser',
  usage: '',
  min: 0,
  max: 0,
  details: [
    'The browser shows who signs in, and hands over on a click. Where none is beside the terminal, it shows a code to paste. The token ends with the session of the browser, after 8 hours at the latest.',
  ],
  options: {
    'no-browser': { type: 'boolean', summary: 'print the address, and read the code that it shows' },
  },
  examples: ['secretsctl login --server https://secrets.example.com', 'secretsctl login --no-browser'],
  async run(context, { options }) {
    const { environment, terminal } = context;
    const server = serverOf(context);
    const send = createSend(environment);
    const { email, expiresMs } = await signIn({
      server,
      send,
      environment,
      terminal,
      pastes: options['no-browser'],
    });
    const until = new Date(expiresMs).toISOString();
    terminal.note(`Signed in at ${server} as ${email}, until ${until}`);
  },
});

export const logout = command({
  name: 'logout',
  summary: 'Forget the token of this service',
  usage: '',
  min: 0,
  max: 0,
  details: ['The session of the browser goes on; an administrator can end both.'],
  options: {},
  examples: ['secretsctl logout'],
  run(context) {
    const server = serverOf(context);
    createCredentialStore(context.environment).remove(server);
    context.terminal.note(`Signed out at ${server}`);
    return Promise.resolve(undefined);
  },
});

export const whoami = command({
  name: 'whoami',
  summary: 'Show who you are for the service',
  usage: '',
  min: 0,
  max: 0,
  details: ['With -o json: {"server": address, "sub", "email", "name", "groups"}.'],
  options: OUTPUT,
  examples: ['secretsctl whoami'],
  async run(context, { options }) {
    const isJson = wantsJson(options.output);
    const service = context.service();
    const user = await me(context);
    if (isJson) writeJson(context.terminal, { server: service.server, ...user });
    else {
      context.terminal.line(`${user.email} at ${service.server}`);
      if (user.groups.length > 0) context.terminal.line(`Groups: ${user.groups.join(', ')}`);
    }
  },
});

async function me({ service }: CommandContext) {
  try {
    return (await service().send('GET /api/auth/me')).user;
  } catch (error) {
    // Its 401 is no error but { user: null }.
    const isRefused = error instanceof Failure && 'status' in error && error.status === 401;
    throw isRefused ? new Failure('signedOut', 'the token is refused', 'Run: secretsctl login') : error;
  }
}
