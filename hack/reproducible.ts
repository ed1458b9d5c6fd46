import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

// Builds the service, the pages and the notices twice, in folders of different depth, one after the other, in different time zones
// and locales, and compares every byte. What differs between two images of a commit is then only what hack/image and the engine add.

const ROOT = path.resolve(import.meta.dirname, '..');
/** What the Dockerfile's stage `build` copies. */
const SOURCES = [
  'package.json',
  'package-lock.json',
  'LICENSE',
  'tsconfig.json',
  'tsconfig.build.json',
  'src',
  'web',
  'hack',
];
const BUILT = ['dist', 'web/dist', 'NOTICES'];
const ENVIRONMENTS = [
  { TZ: 'UTC', LC_ALL: 'C' },
  { TZ: 'Pacific/Kiritimati', LC_ALL: 'tr_TR.UTF-8' },
];

function build(folder: string, environment: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  mkdirSync(folder, { recursive: true });
  for (const source of SOURCES) {
    cpSync(path.join(ROOT, source), path.join(folder, source), {
      recursive: true,
      filter: (file) => !['node_modules', 'dist'].includes(path.basename(file)),
    });
  }
  for (const packages of ['node_modules', 'web/node_modules']) {
    symlinkSync(path.join(ROOT, packages), path.join(folder, packages));
  }
  const options = {
    cwd: folder,
    env: { ...process.env, ...environment },
    encoding: 'utf8',
    stdio: 'pipe',
  } as const;
  execFileSync('npm', ['run', '--silent', 'build'], options);
  writeFileSync(path.join(folder, 'NOTICES'), execFileSync(process.execPath, ['hack/notices.ts'], options));
  return new Map(BUILT.flatMap((built) => digestsOf(folder, built)));
}

function digestsOf(folder: string, built: string): readonly (readonly [string, string])[] {
  const whole = path.join(folder, built);
  const files = built === 'NOTICES' ? [whole] : filesBelow(whole);
  if (files.length === 0) throw new Error(`${built} is empty`);
  return files.map((file) => [
    path.relative(folder, file),
    createHash('sha256').update(readFileSync(file)).digest('hex'),
  ]);
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

const scratch = mkdtempSync(path.join(tmpdir(), 'reproducible-'));
try {
  const [first, second] = ENVIRONMENTS.map((environment, index) =>
    build(path.join(scratch, ...['build', 'one', 'level', 'deeper'].slice(0, index * 3 + 1)), environment),
  );
  if (first === undefined || second === undefined) throw new Error('There are not two builds');
  const names = new Set([...first.keys(), ...second.keys()]);
  const differing = [...names].filter((name) => first.get(name) !== second.get(name)).sort();
  for (const name of differing) console.error(`differs between two builds: ${name}`);
  if (differing.length > 0) process.exitCode = 1;
  else console.log(`reproducible: ${names.size} files are the same in both builds`);
} finally {
  rmSync(scratch, { recursive: true });
}
