import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDevCluster } from '../../../hack/dev-cluster/dev-cluster.ts';
import type { ClusterObject } from '../../harness/kube-client.ts';
import { becomes, openReplicas, type Replica, type Replicas } from '../replicas.ts';
import { GOLDEN_NAMESPACE } from './golden-recipe.ts';
import type { StateLine } from './recorded-state.ts';

const GOLDEN_FOLDER = new URL('../../data/golden/', import.meta.url).pathname;

/** The versions that there are golden files of. */
export const GOLDEN_VERSIONS = readdirSync(GOLDEN_FOLDER).filter((name) => /^[0-9]/.test(name));

/** What a version answered about one Secret. */
export interface RecordedSecret {
  readonly name: string;
  readonly detail: { readonly secret: object };
  readonly versions: { readonly versions: readonly { readonly version: number }[] };
  /** Each of `versions`, with its values. */
  readonly each: readonly { readonly version: object }[];
}

/** The golden files of one version. */
export interface Golden {
  readonly revision: number;
  readonly lines: readonly StateLine[];
  readonly list: { readonly secrets: readonly { readonly name: string }[] };
  readonly secrets: readonly RecordedSecret[];
  /** Live Secrets, and history objects whatever labels they have. */
  readonly live: readonly ClusterObject[];
  readonly history: readonly ClusterObject[];
  /** The part of `history` whose live Secret is gone. */
  readonly orphans: readonly ClusterObject[];
}

export function readGolden(version: string): Golden {
  const read = (file: string): unknown =>
    JSON.parse(readFileSync(join(GOLDEN_FOLDER, version, file), 'utf8'));
  const { revision, objects } = read('objects.json') as { revision: number; objects: readonly StateLine[] };
  const answers = read('answers.json') as Pick<Golden, 'list' | 'secrets'>;
  const secrets = objects.filter(([resource]) => resource === 'secrets').map(([, , object]) => object);
  const isHistory = (object: ClusterObject): boolean => annotation(object, 'kind') === 'history';
  const live = secrets.filter((object) => !isHistory(object));
  const history = secrets.filter(isHistory);
  const uids = new Set(live.map(({ metadata }) => metadata.uid));
  const orphans = history.filter((object) => !uids.has(annotation(object, 'history-uid')));
  return { ...answers, revision, lines: objects, live, history, orphans };
}

export const annotation = ({ metadata }: ClusterObject, name: string): string | undefined =>
  metadata.annotations?.[`service.io/${name}`];

export const byName = (one: ClusterObject, other: ClusterObject): number =>
  one.metadata.name < other.metadata.name ? -1 : 1;

/** The snapshots of one live Secret. */
export const snapshotsOf = (
  objects: readonly ClusterObject[],
  live: ClusterObject,
): readonly ClusterObject[] =>
  objects.filter((object) => annotation(object, 'history-uid') === live.metadata.uid);

/** What a version made of the Secrets of a later build beside it. */
export interface GoldenBeside extends Pick<Golden, 'revision' | 'lines'> {
  /** By person: what the version listed, and answered. */
  readonly shown: Readonly<
    Record<string, { readonly list: readonly string[]; readonly read: readonly string[] }>
  >;
}

export function readGoldenBeside(version: string): GoldenBeside {
  const text = readFileSync(join(GOLDEN_FOLDER, version, 'beside.json'), 'utf8');
  const { objects, ...rest } = JSON.parse(text) as Omit<GoldenBeside, 'lines'> & {
    objects: readonly StateLine[];
  };
  return { ...rest, lines: objects };
}

/** A development cluster that holds exactly the golden objects, with their uids and revisions. */
export async function withGolden(
  golden: Pick<Golden, 'revision' | 'lines'>,
  use: (fixture: Replicas) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'service-test-'));
  const stateFile = join(folder, 'state');
  await writeState(golden, stateFile);
  const fixture = await openReplicas({ stateFile });
  try {
    await use(fixture);
  } finally {
    await fixture.close();
    rmSync(folder, { recursive: true });
  }
}

/** A fresh cluster's own objects, and the golden ones beside them. */
async function writeState(
  { revision, lines }: Pick<Golden, 'revision' | 'lines'>,
  stateFile: string,
): Promise<void> {
  await (await startDevCluster({ stateFile })).close();
  const [head = '', ...fresh] = readFileSync(stateFile, 'utf8').trimEnd().split('\n');
  const withRevision = JSON.stringify({ ...(JSON.parse(head) as object), revision });
  const all = [withRevision, ...fresh, ...lines.map((line) => JSON.stringify(line))];
  writeFileSync(stateFile, `${all.join('\n')}\n`, { mode: 0o600 });
}

/** A replica that leads and has put back the labels that were lost. */
export async function openLeader(
  fixture: Replicas,
  env: Readonly<Record<string, string>> = {},
): Promise<Replica> {
  const replica = await fixture.replica(env);
  await becomes(
    async () =>
      (await fixture.kube.listSecrets(GOLDEN_NAMESPACE)).filter(
        (object) =>
          annotation(object, 'kind') === 'history' &&
          object.metadata.labels?.['service.io/kind'] !== 'history',
      ),
    [],
    20_000,
  );
  return replica;
}
