import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { imagesOfDockerfile, imagesOfKindCluster, pinProblems } from '../../../hack/image-check/pinned.ts';

const read = (file: string): string => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
const DOCKERFILE = read('Dockerfile');
const CLUSTER = read('hack/kind/cluster.yaml');
const dockerfileProblems = (text: string) => pinProblems('Dockerfile', imagesOfDockerfile(text));
const clusterProblems = (text: string) => pinProblems('cluster.yaml', imagesOfKindCluster(text));

describe('images of other projects', () => {
  it('are the two base images and the node of kind, each with its digest', () => {
    const repositories = [...imagesOfDockerfile(DOCKERFILE), ...new Set(imagesOfKindCluster(CLUSTER))];
    expect(repositories.map((image) => image.split(':')[0])).toEqual([
      'docker.io/library/node',
      'gcr.io/distroless/cc-debian12',
      'kindest/node',
    ]);
    expect([...dockerfileProblems(DOCKERFILE), ...clusterProblems(CLUSTER)]).toEqual([]);
  });

  it.each([
    ['a FROM without a digest', DOCKERFILE.replace(/@sha256:[0-9a-f]{64}/, '')],
    ['a digest that is cut short', DOCKERFILE.replace(/(@sha256:[0-9a-f]{63})[0-9a-f]/, '$1')],
    ['a digest without a tag', DOCKERFILE.replace(':nonroot@', '@')],
    ['a base image that is an argument', `ARG BASE=debian\n${DOCKERFILE}\nFROM \${BASE} AS other\n`],
    [
      'a copy from an image',
      DOCKERFILE.replace('COPY --from=build', 'COPY --from=docker.io/library/node:24'),
    ],
  ])('%s is found', (_what, text) => {
    expect(text).not.toBe(DOCKERFILE);
    expect(dockerfileProblems(text)).toHaveLength(1);
  });

  it('a node of kind without a digest, or of the image that kind would choose, is found', () => {
    expect(clusterProblems(CLUSTER.replace(/@sha256:[0-9a-f]{64}/, ''))).toHaveLength(1);
    expect(clusterProblems('kind: Cluster\nnodes:\n  - role: control-plane\n')).toEqual([
      'cluster.yaml: a node has no image',
    ]);
    expect(clusterProblems('kind: Cluster\n')).toEqual(['cluster.yaml: a node has no image']);
  });

  it('a Dockerfile that names none is found, too', () => {
    expect(dockerfileProblems('')).toEqual(['Dockerfile names no image']);
  });
});
