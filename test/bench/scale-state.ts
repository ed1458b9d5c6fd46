import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { AnnotationCodec } from '../../src/kube/annotation-codec.ts';
import { snapshotName } from '../../src/history/snapshot/snapshot.ts';

/** What a large cluster holds. */
export interface Scale {
  /** In the names of its namespaces. */
  readonly name: string;
  readonly namespaces: number;
  readonly secrets: number;
  /** Bytes of the values of one Secret. */
  readonly bytes: number;
  /** Snapshots of each Secret. */
  readonly snapshots: number;
}

const codec = new AnnotationCodec('service.io');
const MADE_AT = '2026-01-01T00:00:00Z';

const FIRST_REVISION = 1_000_000;

/** Writes a state of the development cluster: many Secrets are there in seconds, where creating them takes minutes. */
export function writeScaleState(file: string, scale: Scale): void {
  writeLines(file, function* lines() {
    const revision = FIRST_REVISION + scale.secrets * (1 + scale.snapshots) + scale.namespaces;
    yield { format: 1, revision, tokenKey: Buffer.alloc(32, 1).toString('base64') };
    for (const { namespace, object } of objectsOf(scale)) {
      const { name } = object.metadata;
      yield namespace === undefined
        ? ['namespaces', name, object]
        : ['secrets', `${namespace}/${name}`, object];
    }
  });
}

/** A page of them is about a mebibyte, as the service requests it. */
const PAGE_OBJECTS = 340;

/** Writes the pages of a list of these Secrets, each into a file that its number names; `continue` is that of the next one. */
export function writeRecording(folder: string, scale: Scale): void {
  mkdirSync(folder);
  const pages = Math.ceil(scale.secrets / PAGE_OBJECTS);
  const secrets = Iterator.from(objectsOf(scale)).filter(({ namespace }) => namespace !== undefined);
  const resourceVersion = String(FIRST_REVISION + scale.namespaces + scale.secrets);
  for (let page = 0; page < pages; page++) {
    const next = page + 1 === pages ? {} : { continue: String(page + 1) };
    const items: unknown[] = [];
    while (items.length < PAGE_OBJECTS) {
      const secret = secrets.next();
      if (secret.done === true) break;
      items.push(secret.value.object);
    }
    const list = { kind: 'SecretList', apiVersion: 'v1', metadata: { resourceVersion, ...next }, items };
    writeFileSync(join(folder, String(page)), JSON.stringify(list), { mode: 0o600 });
  }
}

function writeLines(file: string, lines: () => Iterable<unknown>): void {
  const out = openSync(file, 'w', 0o600);
  for (const line of lines()) writeSync(out, `${JSON.stringify(line)}\n`);
  closeSync(out);
}

export function namespaceName({ name }: Pick<Scale, 'name'>, index: number): string {
  return `bench-${name}-${index}`;
}

export interface Placed {
  /** Undefined for a namespace itself. */
  readonly namespace?: string;
  readonly object: Native;
}

export function* objectsOf(scale: Scale): Generator<Placed> {
  let revision = FIRST_REVISION;
  const metadata = (more: object): object => ({
    uid: randomUUID(),
    resourceVersion: String(++revision),
    creationTimestamp: MADE_AT,
    ...more,
  });
  const names = Array.from({ length: scale.namespaces }, (_, index) => namespaceName(scale, index));
  for (const name of names) {
    const kind = { apiVersion: 'v1', kind: 'Namespace', status: { phase: 'Active' } };
    yield { object: { ...kind, metadata: metadata({ name }) } as Native };
  }
  for (let index = 0; index < scale.secrets; index++) {
    const namespace = names[index % names.length] ?? '';
    for (const object of secretWithHistory(index, namespace, scale, metadata)) yield { namespace, object };
  }
}

export interface Native {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly creationTimestamp: string;
  };
}

function* secretWithHistory(
  index: number,
  namespace: string,
  { bytes, snapshots }: Scale,
  metadata: (more: object) => object,
): Generator<Native> {
  const name = `secret-${String(index).padStart(6, '0')}`;
  const uid = randomUUID();
  const data = { username: 'b3BlcmF0b3I=', password: Buffer.alloc(bytes - 8, 'x').toString('base64') };
  const sources: string[] = [];
  for (let version = 1; version <= snapshots; version++) {
    const sourceResourceVersion = String(1_000_000 - snapshots + version);
    sources.push(sourceResourceVersion);
    const { labels, annotations } = codec.describe({
      ...{ of: name, uid, version, sourceResourceVersion, type: 'Opaque' },
      ...{ lastModifiedBy: 'someone@example.com', lastModifiedAt: MADE_AT },
    });
    const own = { namespace, name: snapshotName(name, version, uid) };
    const description = { labels: Object.fromEntries(labels), annotations: Object.fromEntries(annotations) };
    yield secret(metadata({ ...own, ...description }), { immutable: true, data });
  }
  const annotations = {
    'service.io/managed-by': 'service',
    'service.io/version': String(snapshots + 1),
    'service.io/description': `Secret number ${index} of the benchmark`,
    'service.io/allowed-groups': index % 2 === 0 ? 'team-a' : 'team-b',
  };
  yield secret(metadata({ namespace, name, annotations, uid }), { data });
}

function secret(metadata: object, rest: object): Native {
  return { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque', ...rest } as unknown as Native;
}
