import { parse } from 'yaml';
import { parseDockerfile } from './dockerfile.ts';

/** The images of other projects that a Dockerfile builds on or copies from. */
export function imagesOfDockerfile(text: string): readonly string[] {
  const stages = parseDockerfile(text);
  const names = new Set(stages.map(({ name }) => name));
  const sources = stages.flatMap(({ from, instructions }) => [
    from,
    ...instructions.flatMap(({ flags }) => flags.get('from') ?? []),
  ]);
  return sources.filter((source) => !names.has(source));
}

/** The image of each node of a kind cluster; '' where kind would choose. */
export function imagesOfKindCluster(text: string): readonly string[] {
  const { nodes = [{}] } = parse(text) as { readonly nodes?: readonly { readonly image?: string }[] };
  return nodes.map(({ image = '' }) => image);
}

/** What is wrong with the images of a file: one without a tag for people, or without the digest that fixes its bytes. */
export function pinProblems(file: string, images: readonly string[]): readonly string[] {
  if (images.length === 0) return [`${file} names no image`];
  return [...new Set(images)]
    .filter((image) => !/^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/.test(image))
    .map(
      (image) =>
        `${file}: ${image === '' ? 'a node has no image' : `${image} is not name:tag@sha256:<digest>`}`,
    );
}
