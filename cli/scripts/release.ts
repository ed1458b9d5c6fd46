import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stringify } from 'yaml';

// `make release-cli URL=https://…`: the package, and the krew manifest that installs it from below that address, in release/.

const CLI = path.resolve(import.meta.dirname, '..');
const OUT = path.join(CLI, '..', 'release');

/** Of krew.googlecontainertools.github.com/v1alpha2. */
export function krewManifest(version: string, uri: string, archive: Uint8Array): string {
  const file = 'package/dist/secretsctl.cjs';
  return stringify({
    apiVersion: 'krew.googlecontainertools.github.com/v1alpha2',
    kind: 'Plugin',
    metadata: { name: 'secretsctl' },
    spec: {
      version: `v${version}`,
      homepage: uri.slice(0, uri.lastIndexOf('/') + 1),
      shortDescription: 'Manage Secrets without cluster credentials',
      description:
        'Read, change, compare and restore Secrets through the Secrets Management Service, with the rights that it gives you.\n',
      caveats: 'It needs Node 22.21 or newer.\n',
      platforms: [
        {
          selector: { matchExpressions: [{ key: 'os', operator: 'In', values: ['linux', 'darwin'] }] },
          uri,
          sha256: createHash('sha256').update(archive).digest('hex'),
          files: [
            { from: file, to: '.' },
            { from: 'package/dist/LICENSE', to: '.' },
          ],
          bin: path.basename(file),
        },
      ],
    },
  });
}

if (import.meta.main) {
  const base = new URL(`${(process.env['URL'] ?? '').replace(/\/$/, '')}/`);
  if (base.protocol !== 'https:')
    throw new Error('URL must be where the files will be, and begin with https://');
  mkdirSync(OUT, { recursive: true });
  const args = ['pack', '--json', '--pack-destination', OUT];
  const [packed] = JSON.parse(execFileSync('npm', args, { cwd: CLI, encoding: 'utf8' })) as [
    { readonly filename: string; readonly version: string },
  ];
  const archive = readFileSync(path.join(OUT, packed.filename));
  const manifest = krewManifest(packed.version, new URL(packed.filename, base).href, archive);
  writeFileSync(path.join(OUT, 'secretsctl.yaml'), manifest);
  console.log(`wrote release/${packed.filename}\nwrote release/secretsctl.yaml`);
}
