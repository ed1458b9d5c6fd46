import { isDeepStrictEqual } from 'node:util';
import type { Manifest } from '../manifests/rendered.ts';
import { messageOf, type ClusterApi } from './cluster-api.ts';
import type { KnownKinds } from './kinds.ts';

/** The cluster's response to a dry run of an object. */
export interface Verdict {
  /** Kind and name. */
  readonly object: string;
  readonly outcome: 'accepted' | 'refused' | 'kind not known';
  /** The cluster's reasons and warnings, in its words. */
  readonly words: readonly string[];
}

const DRY = '?dryRun=All&fieldValidation=Strict&fieldManager=e2e';

/** Sends each object once: as a create, or as a replacement where one of its name exists. */
export async function dryRun(
  cluster: ClusterApi,
  kinds: KnownKinds,
  manifests: readonly Manifest[],
): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const manifest of distinct(manifests)) verdicts.push(await judge(cluster, kinds, manifest));
  return verdicts;
}

/**
 * What the API server itself finds wrong with an object that it takes all the same. Other warnings come from
 * admission webhooks and policies: they are worth reading, but every cluster has its own, and the manifests are not wrong
 * by them. Only their texts distinguish the two.
 */
const OF_API_SERVER = [
  /^\S+ \S+ is deprecated in v\d/,
  /: (deprecated|non-functional) (since|in) v\d/,
  /^(unknown|duplicate) field /,
  /^would violate PodSecurity /,
];

/** Whether the cluster takes the object without a complaint about the object itself. */
export function isGood({ outcome, words }: Verdict): boolean {
  return outcome !== 'refused' && !words.some((text) => OF_API_SERVER.some((form) => form.test(text)));
}

/** Kind and name of an object, for people. */
export function titleOf({ kind, metadata }: Manifest): string {
  return `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}`;
}

function distinct(manifests: readonly Manifest[]): readonly Manifest[] {
  return manifests.filter(
    (manifest, index) => manifests.findIndex((other) => isDeepStrictEqual(other, manifest)) === index,
  );
}

async function judge(cluster: ClusterApi, kinds: KnownKinds, manifest: Manifest): Promise<Verdict> {
  const object = titleOf(manifest);
  const collection = await kinds.collectionOf(manifest);
  if (collection === undefined) return { object, outcome: 'kind not known', words: [] };
  const created = await cluster.send('POST', `${collection}${DRY}`, manifest);
  const answer =
    created.status === 409
      ? await cluster.send('PUT', `${collection}/${manifest.metadata.name}${DRY}`, manifest)
      : created;
  const { warnings } = answer;
  if (answer.status >= 300) return { object, outcome: 'refused', words: [messageOf(answer), ...warnings] };
  return { object, outcome: 'accepted', words: warnings };
}
