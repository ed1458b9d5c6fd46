import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const NAME = 'secrets-management-service';
const CHART = join(import.meta.dirname, NAME);
/** The same bytes each time. */
const TAR = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner'];

/**
 * Writes the chart into `folder` as Helm packages it, with one image by its digest.
 * @param reference such as `registry.example.com/secrets-management-service@sha256:…`
 * @returns the name of the file
 */
export function packageChart(reference: string, folder: string): string {
  const work = mkdtempSync(join(tmpdir(), 'chart-'));
  try {
    cpSync(CHART, join(work, NAME), { recursive: true });
    const values = join(work, NAME, 'values.yaml');
    writeFileSync(values, withImage(readFileSync(values, 'utf8'), reference));
    const version = /^version: ([\w.+-]+)$/m.exec(readFileSync(join(CHART, 'Chart.yaml'), 'utf8'))?.[1];
    const file = `${NAME}-${version ?? ''}.tgz`;
    const tar = [...TAR, '--use-compress-program=gzip -n', '-cf', join(folder, file), '-C', work, NAME];
    execFileSync('tar', tar, { stdio: 'pipe' });
    return file;
  } finally {
    rmSync(work, { recursive: true });
  }
}

function withImage(values: string, reference: string): string {
  const [repository = '', digest = ''] = reference.split('@');
  return values
    .replace(`  repository: ${NAME}\n`, `  repository: ${repository}\n`)
    .replace("  digest: ''\n", `  digest: ${digest}\n`);
}
