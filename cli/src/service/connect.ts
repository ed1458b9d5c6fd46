import type { CommandContext } from '../command.ts';
import { variable, type Environment } from '../environment.ts';
import { usage } from '../failure.ts';
import { parseAddress } from './address.ts';
import { createCredentialStore } from './credentials.ts';
import { createSend } from './http.ts';
import { createService, type Service } from './service.ts';
import { tokenSource } from './tokens.ts';

/** The address that is named, or the last one that was signed in to. @throws {Failure} */
export function serverOf({ common, environment }: Pick<CommandContext, 'common' | 'environment'>): string {
  const named = common.server ?? variable(environment, 'SECRETSCTL_SERVER');
  const server = named ?? createCredentialStore(environment).lastServer();
  if (server === undefined) throw usage('which service?', 'Name it with --server or SECRETSCTL_SERVER.');
  return parseAddress(server);
}

export function connect(
  context: Pick<CommandContext, 'common'> & { readonly environment: Environment },
): Service {
  const { common, environment } = context;
  const server = serverOf(context);
  const send = createSend(environment);
  const credentials = createCredentialStore(environment);
  const token = tokenSource({
    environment,
    server,
    credentials,
    send,
    tokenFile: common['token-file'],
    now: Date.now,
  });
  return createService(server, send, token);
}
