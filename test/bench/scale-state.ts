import { randomUUID } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import { createAnnotationCodec } from '../../src/kube/annotation-codec.ts';
import { snapshotName } from '../../src/history/snapshot/snapshot-name.ts';

/** What a large cluster holds. */
export interface Scale {
  readonly namespaces: number;
  readonly secrets: number;
  /** Bytes of the values of one Secret. */
  readonly bytes: number;
  /** Snapshots of each Secret. */
  readonly snapshots: number;
}

const codec = createAnnotationCodec('service.io');
const MADE_AT = '2026-01-01T00:00:00Z';

/** Writes a state of the development cluster: many Secrets are there in seconds, where creating them takes minutes. */
export function writeScaleState(file: string, scale: Scale): void {
  const out = openSync(file, 'w', 0o600);
  let revision = 1_000_000;
  const total = scale.secrets * (1 + scale.snapshots) + scale.namespaces;
  const write = (value: unknown): void => void writeSync(out, `${JSON.stringify(value)}\n`);
  write({ format: 1, revision: revision + total, tokenKey: Buffer.alloc(32, 1).toString('base64') });
  const metadata = (more: object): object => ({
    uid: randomUUID(),
    resourceVersion: String(++revision),
    creationTimestamp: MADE_AT,
    ...more,
  });
  const names = Array.from({ length: scale.namespaces }, (_, index) => `bench-${index}`);
  for (const name of names) {
    const object = {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: metadata({ name }),
      status: { phase: 'Active' },
    };
    write(['namespaces', name, object]);
  }
  for (let index = 0; index < scale.secrets; index++) {
    const namespace = names[index % names.length] ?? '';
    for (const object of secretWithHistory(index, namespace, scale, metadata)) {
      write(['secrets', `${namespace}/${object.metadata.name}`, object]);
    }
  }
  closeSync(out);
}

interface Native {
  readonly metadata: { readonly name: string };
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
