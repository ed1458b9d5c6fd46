import { createHash } from 'node:crypto';
import type { ClusterObject } from '../harness/kube-client.ts';
import { ANNOTATIONS } from './names.ts';
import type { Archived, SecretState } from './recording.ts';

/** Reduces a Secret object to what is judged; the annotations are read apart from the service's own code. */
export function secretStateOf({ metadata, data = {}, type = 'Opaque' }: ClusterObject): SecretState {
  const annotations = new Map(Object.entries(metadata.annotations ?? {}));
  const archives = archivedOf(annotations);
  return {
    name: metadata.name,
    uid: metadata.uid ?? '',
    type,
    digest: digestOf(data),
    description: annotations.get(ANNOTATIONS.description) ?? '',
    version: counterOf(annotations.get(ANNOTATIONS.version)),
    allowedGroups: (annotations.get(ANNOTATIONS.allowedGroups) ?? '').split(',').filter((one) => one !== ''),
    terminating: metadata.deletionTimestamp !== undefined,
    ...(archives === undefined ? {} : { archives }),
  };
}

/** Of values in base64, whatever the order of their keys. */
export function digestOf(data: Readonly<Record<string, string>>): string {
  const sorted = Object.entries(data).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex');
}

/** Of values as text. */
export function digestOfText(data: Readonly<Record<string, string>>): string {
  return digestOf(
    Object.fromEntries(
      Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
    ),
  );
}

/** Absent, zero and malformed count as 1. */
function counterOf(text: string | undefined): number {
  const number = text !== undefined && /^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : 1;
  return Number.isSafeInteger(number) ? number : 1;
}

function archivedOf(annotations: ReadonlyMap<string, string>): Archived | undefined {
  const uid = annotations.get(ANNOTATIONS.historyUid);
  if (uid === undefined) return undefined;
  return {
    uid,
    name: annotations.get(ANNOTATIONS.historyOf) ?? '',
    version: Number(annotations.get(ANNOTATIONS.historyVersion)),
    source: Number(annotations.get(ANNOTATIONS.historySource)),
    type: annotations.get(ANNOTATIONS.historyType) ?? '',
    isFinal:
      annotations.get(ANNOTATIONS.historyFinal) === 'true' && !annotations.has(ANNOTATIONS.historyReplacedBy),
  };
}
