import { execFileSync, spawnSync } from 'node:child_process';

/** Components, labels and replacements as this project uses them work since kustomize 5, which kubectl has had since 1.27. */
const OLDEST_KUBECTL = '1.27';
const OLDEST_KUSTOMIZE = 5;

export const NO_KUBECTL = `kubectl ${OLDEST_KUBECTL} or newer is not installed: https://kubernetes.io/docs/tasks/tools/`;

/** Renders a folder with kubectl. Throws with kubectl's own words when it cannot. */
export type Kustomize = (folder: string) => string;

/** @returns undefined where no recent kubectl is installed */
export function findKustomize(): Kustomize | undefined {
  if (!isKubectlRecent()) return undefined;
  return (folder) => execFileSync('kubectl', ['kustomize', folder], { encoding: 'utf8', stdio: 'pipe' });
}

function isKubectlRecent(): boolean {
  const { status, stdout } = spawnSync('kubectl', ['version', '--client', '--output=json'], {
    encoding: 'utf8',
  });
  const major = status === 0 ? /"kustomizeVersion":\s*"v(\d+)\./.exec(stdout)?.[1] : undefined;
  return major !== undefined && Number(major) >= OLDEST_KUSTOMIZE;
}
