import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { variable, type Environment } from '../environment.ts';
import { Failure } from '../failure.ts';

/** Someone who signed in at one service. */
export interface Credentials {
  readonly token: string;
  readonly email: string;
  /** Milliseconds since the epoch. */
  readonly expiresMs: number;
}

export interface CredentialStore {
  /** @throws {Failure} when others can read the file */
  read(server: string): Credentials | undefined;
  /** Makes the folder. @throws {Failure} when nothing can be written there */
  prepare(): void;
  /** Also makes it the service that is used where none is named. */
  write(server: string, credentials: Credentials): void;
  remove(server: string): void;
  /** The service that was signed in to last. */
  lastServer(): string | undefined;
}

/** Files that only their owner can read, below `$XDG_STATE_HOME`, one for each address. */
export function createCredentialStore(environment: Environment): CredentialStore {
  const named = variable(environment, 'XDG_STATE_HOME');
  // A relative one counts as none (XDG Base Directory Specification): the token would be below any folder of work.
  const isNamed = named !== undefined && isAbsolute(named);
  const state = isNamed ? named : join(variable(environment, 'HOME') ?? homedir(), '.local', 'state');
  const folder = join(state, 'secretsctl');
  const fileOf = (server: string) => join(folder, `${encodeURIComponent(server)}.json`);
  const last = join(folder, 'server');
  return {
    prepare() {
      changing(folder, () => {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        chmodSync(folder, 0o700);
        accessSync(folder, constants.W_OK);
      });
    },
    read: (server) => credentialsIn(readPrivate(fileOf(server))),
    write(server, credentials) {
      writePrivate(fileOf(server), `${JSON.stringify(credentials)}\n`);
      writePrivate(last, `${server}\n`);
    },
    remove(server) {
      changing(folder, () => {
        rmSync(fileOf(server), { force: true });
      });
    },
    lastServer: () => readPrivate(last)?.trim(),
  };
}

function readPrivate(file: string): string | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new Failure('error', `${file} cannot be read`);
  }
  try {
    if ((fstatSync(descriptor).mode & 0o077) !== 0) {
      throw new Failure('error', `others can read ${file}`, `Run: chmod 600 ${file}, and sign in again.`);
    }
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

function changing(folder: string, step: () => void): void {
  try {
    step();
  } catch (error) {
    throw new Failure('error', `the folder ${folder} cannot be written`, codeOf(error));
  }
}

/** Complete or not at all, whenever this process ends. */
function writePrivate(file: string, content: string): void {
  const temporary = `${file}.${process.pid}`;
  try {
    writeFileSync(temporary, content, { mode: 0o600, flag: 'wx' });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw new Failure('error', `${file} cannot be written`, codeOf(error));
  }
}

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error ? String(error.code) : undefined;

/** What is malformed counts as nothing: the next sign-in replaces it. */
function credentialsIn(text: string | undefined): Credentials | undefined {
  if (text === undefined) return undefined;
  try {
    const { token, email, expiresMs } = JSON.parse(text) as Partial<Record<string, unknown>>;
    const isComplete =
      typeof token === 'string' && typeof email === 'string' && typeof expiresMs === 'number';
    return isComplete ? { token, email, expiresMs } : undefined;
  } catch {
    return undefined;
  }
}
