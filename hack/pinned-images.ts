import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { imagesOfDockerfile, imagesOfKindCluster, pinProblems } from './image-check/pinned.ts';

// Part of `make check`: whatever is built on or started from another project is fixed by a digest, which its publisher cannot move.

const PROJECT = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string): string => readFileSync(`${PROJECT}${file}`, 'utf8');

const NIGHTLY = '.github/workflows/nightly.yml';
const clusters = globSync('hack/kind/*.yaml', { cwd: PROJECT });
const problems = [
  ...pinProblems('Dockerfile', imagesOfDockerfile(read('Dockerfile'))),
  ...clusters.flatMap((file) => pinProblems(file, imagesOfKindCluster(read(file)))),
  ...pinProblems(NIGHTLY, read(NIGHTLY).match(/kindest\/node\S+/g) ?? []),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
