import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTogether, type OnClose } from '../closing.ts';
import { debianProgram } from '../debian-program.ts';
import { freePort } from '../free-port.ts';
import { administer } from './admin.ts';
import { writeConfiguration, writeDatabase } from './configuration.ts';
import { startServer } from '../server-process.ts';
import {
  addClient,
  addUser,
  prepare,
  providerParameters,
  type ClientOptions,
  type ProviderOptions,
  type UserOptions,
} from './objects.ts';

/** Glewlwyd from Debian, as a process of this user, with a database of its own. */
export interface Glewlwyd {
  /** Where it listens: a port of 127.0.0.1. */
  readonly port: number;
  issuer(provider: string): string;
  /** Adds a provider, or gives the one of this name other keys and claims; the keys that it had are gone. */
  provide(options: ProviderOptions): Promise<void>;
  addClient(options: ClientOptions): Promise<void>;
  addUser(options: UserOptions): Promise<void>;
  /** Ends the process; its database and port stay. */
  stop(): Promise<void>;
  /** Starts the process again, which is ended first. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export interface GlewlwydOptions {
  /** As browsers and clients see it, where that is another address than its own. */
  readonly publicUrl?: string;
}

export function startGlewlwyd(options: GlewlwydOptions = {}): Promise<Glewlwyd> {
  return startTogether((onClose) => start(options, onClose));
}

async function start(options: GlewlwydOptions, onClose: OnClose): Promise<Omit<Glewlwyd, 'close'>> {
  const program = debianProgram('glewlwyd');
  const folder = mkdtempSync(join(tmpdir(), 'glewlwyd-'));
  onClose(() => {
    rmSync(folder, { recursive: true });
  });
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const installation = { program, folder, port, publicUrl: options.publicUrl ?? url };
  writeDatabase(installation);
  const configuration = writeConfiguration(installation);
  const startProcess = () => startServer(program, ['-c', configuration], `${url}/config`);
  let server = await startProcess();
  onClose(() => server.stop());
  const admin = await administer(url);
  await prepare(admin);
  const issuer = (provider: string): string => `${installation.publicUrl}/api/${provider}`;
  const providers = new Set<string>();
  return {
    port,
    issuer,
    provide: async (provider) => {
      const parameters = providerParameters(provider, issuer(provider.name));
      const instance = { name: provider.name, display_name: provider.name, parameters };
      if (providers.has(provider.name)) {
        await admin.request('PUT', `/mod/plugin/${provider.name}`, instance);
        await admin.request('PUT', `/mod/plugin/${provider.name}/reset`);
        return;
      }
      await admin.request('POST', '/mod/plugin/', { module: 'oidc', ...instance });
      providers.add(provider.name);
    },
    addClient: (client) => addClient(admin, client),
    addUser: (user) => addUser(admin, user),
    stop: () => server.stop(),
    restart: async () => {
      await server.stop();
      server = await startProcess();
    },
  };
}
