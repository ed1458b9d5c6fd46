import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { CheckResults } from './probe-service.ts';
import type { Replayed } from './replay.ts';

/** Imports the modules that its arguments name, and prints those that cannot be, or not from the folder that it runs in. */
const LOADER = `
  import { realpathSync } from 'node:fs';
  import { registerHooks } from 'node:module';
  import { resolve } from 'node:path';
  import { pathToFileURL } from 'node:url';
  const home = pathToFileURL(realpathSync('.')).href + '/';
  registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context);
      if (resolved.url.startsWith('node:') || resolved.url.startsWith(home)) return resolved;
      throw new Error(specifier + ' is outside the image');
    },
  });
  for (const module of process.argv.slice(1)) {
    await import(pathToFileURL(resolve(module))).catch(({ message }) => {
      console.error(module + ': ' + message);
      process.exitCode = 1;
    });
  }`;
const COMMANDS = 'dist/cmd';

/**
 * Loads every module of an image where nothing but the image's files is found: those too that are only loaded on demand, such as the
 * export of traces. The programs start when they are loaded, so they are started with an option that they do not have.
 */
export function loadModules({ root, workdir, entrypoint, cmd }: Replayed): CheckResults {
  const cwd = path.join(root, workdir);
  const node = path.join(root, entrypoint[0] ?? '');
  const run = (args: readonly string[]) =>
    spawnSync(node, [...args], { cwd, env: {}, encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] });
  const files = readdirSync(path.join(cwd, 'dist'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.js'))
    .map(({ parentPath, name }) => path.relative(cwd, path.join(parentPath, name)));
  const isCommand = (file: string): boolean => file.startsWith(`${COMMANDS}/`);
  const modules = files.filter((file) => !cmd.includes(file) && !isCommand(file));
  const loaded = run(['--input-type=module', '--eval', LOADER, '--', ...modules]);
  process.stderr.write(loaded.stderr);
  const commands = files.filter(isCommand);
  const started = commands.map((command) => {
    const { status, stderr } = run([command, '--no-such-option']);
    if (status !== 2) process.stderr.write(`${command}: ${stderr}`);
    return [`starts ${command}`, status === 2 && stderr.startsWith('usage: ')] as const;
  });
  return {
    'loads every module': modules.length > 0 && loaded.status === 0,
    'holds commands': commands.length > 0,
    ...Object.fromEntries(started),
  };
}
