import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { packageChart } from '../chart/package-chart.ts';
import { bundledNames } from './dependencies/bundled.ts';
import { shippedNames } from './dependencies/licences.ts';
import { findKustomize } from './manifests/kustomize.ts';
import { requireReleasable } from './release/checkout.ts';
import { releaseEdits } from './release/edits.ts';
import { withImage } from './release/install-manifest.ts';
import { ReleaseError } from './release/release-error.ts';
import { shippedBom, type Bom, type Tree } from './release/sbom.ts';

// `make release VERSION=…` writes what a release changes in the checkout. `make release-files IMAGE=…@sha256:…` writes into release/
// what is published beside the image.

const ROOT = path.resolve(import.meta.dirname, '..');
const OUT = 'release';

const run = (command: string, ...args: string[]): string =>
  execFileSync(command, args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, stdio: 'pipe' });
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const write = (file: string, text: string): void => {
  writeFileSync(path.join(ROOT, file), text);
};

function prepare(version: string, date: string, dryRun: boolean): void {
  // An unchanged lock file keeps its time, for which make would install everything again.
  const edits = releaseEdits({ version, date }, read).filter(({ file, text }) => text !== read(file));
  const tag = `v${version}`;
  requireReleasable({
    tag,
    isTagged: run('git', 'tag', '--list', tag) !== '',
    isClean: dryRun || run('git', 'status', '--porcelain') === '',
    canRender: dryRun || findKustomize() !== undefined,
  });
  if (!dryRun) for (const { file, text } of edits) write(file, text);
  for (const { file } of edits) console.log(`${dryRun ? 'would write' : 'wrote'} ${file}`);
}

function treeOf(folder: string, shipped: Tree['shipped']): Tree {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'];
  const bom = JSON.parse(run('npm', '--prefix', folder, ...args)) as Bom;
  return { bom, shipped };
}

function writeFiles(image: string): void {
  const manifests = ['install.yaml', 'install-namespaced.yaml'].map(
    (file) => [file, withImage(read(`manifests/${file}`), image)] as const,
  );
  const committedAt = new Date(run('git', 'log', '-1', '--format=%cI').trim()).toISOString();
  const service = treeOf('.', bundledNames(ROOT));
  const pages = treeOf('web', shippedNames(path.join(ROOT, 'web')));
  const bom = shippedBom(service, pages, committedAt);
  mkdirSync(path.join(ROOT, OUT), { recursive: true });
  const chart = packageChart(image, path.join(ROOT, OUT));
  // What an installation without internet needs; the command line is a file of its own.
  const mirrored = [
    `image ${image}`,
    ...[...manifests.map(([file]) => file), chart].map((file) => `file ${file}`),
  ];
  const texts = [
    ...manifests,
    ['sbom.cdx.json', `${JSON.stringify(bom, null, 2)}\n`] as const,
    ['mirror.txt', `${mirrored.join('\n')}\n`] as const,
  ];
  for (const [file, text] of texts) write(path.join(OUT, file), text);
  for (const file of [...texts.map(([name]) => name), chart]) console.log(`wrote ${OUT}/${file}`);
}

const USAGE = 'usage: release prepare --version=1.2.3 [--dry-run] | release files --image=…@sha256:…';

function readArguments() {
  const options = {
    version: { type: 'string', default: '' },
    date: { type: 'string', default: new Date().toISOString().slice(0, 10) },
    image: { type: 'string', default: '' },
    'dry-run': { type: 'boolean', default: false },
  } as const;
  try {
    return parseArgs({ allowPositionals: true, options });
  } catch {
    throw new ReleaseError(USAGE);
  }
}

try {
  const { values, positionals } = readArguments();
  if (positionals[0] === 'prepare') prepare(values.version, values.date, values['dry-run']);
  else if (positionals[0] === 'files') writeFiles(values.image);
  else throw new ReleaseError(USAGE);
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error;
  console.error(`release: ${error.message}`);
  process.exitCode = 1;
}
