import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { DebianProgram } from '../debian-program.ts';

export interface Installation {
  readonly program: DebianProgram;
  /** Where its files are written. */
  readonly folder: string;
  readonly port: number;
  /** As browsers and clients see it; without a slash at its end, which would be doubled in redirects. */
  readonly publicUrl: string;
}

/** Makes Glewlwyd's database, with its own first administrator. */
export function writeDatabase({ program, folder }: Installation): void {
  const script = join(program.root, 'usr/share/dbconfig-common/data/glewlwyd/install/sqlite3');
  const database = new DatabaseSync(databaseFile(folder));
  database.exec(readFileSync(script, 'utf8'));
  database.close();
}

/** @returns the path of the configuration file */
export function writeConfiguration({ program, folder, port, publicUrl }: Installation): string {
  const modules = join(program.root, 'usr/lib/glewlwyd');
  const text = [
    `port=${port}`,
    'bind_address="127.0.0.1"',
    `external_url="${publicUrl}"`,
    'login_url="login.html"',
    'api_prefix="api"',
    'log_mode="console"',
    'log_level="WARNING"',
    `cookie_secure=${publicUrl.startsWith('https:') ? 1 : 0}`,
    `user_module_path="${modules}/user"`,
    `client_module_path="${modules}/client"`,
    `user_auth_scheme_module_path="${modules}/scheme"`,
    `plugin_module_path="${modules}/plugin"`,
    'hash_algorithm="SHA512"',
    `database = { type = "sqlite3"; path = "${databaseFile(folder)}"; };`,
  ];
  const file = join(folder, 'glewlwyd.conf');
  writeFileSync(file, `${text.join('\n')}\n`, { mode: 0o600 });
  return file;
}

function databaseFile(folder: string): string {
  return join(folder, 'glewlwyd.db');
}
