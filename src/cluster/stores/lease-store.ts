import type { LeaseStore, LeaseTerm, ListedLease, StoredLease } from '../../kube/lease.ts';
import { decodeIdentity, field, requiredText, textMap, type RawObject } from '../objects/raw-object.ts';
import { readObject, readWholeList, writeObject, type Requests } from './objects.ts';
import { LEASES } from '../objects/resources.ts';

const MALFORMED = 'malformedLease';

/** Each node renews one of its own. */
const WITHOUT_NODES = { fieldSelector: 'metadata.namespace!=kube-node-lease' };

/**
 * One Lease (coordination.k8s.io/v1) of the cluster, always live.
 * @param listed the namespace whose Leases are listed; undefined for all
 */
export function createLeaseStore(
  gateway: Requests,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  listed?: string,
): LeaseStore {
  const place = { resource: LEASES, namespace, name };
  return {
    read: (deadline) => readObject(gateway, place, decodeLease, deadline),
    create: (term, annotations, deadline) => {
      const body = encodeLease({ native: { metadata: { namespace, name } }, annotations }, term);
      const request = { verb: 'create', resource: LEASES, namespace, body } as const;
      return writeObject(gateway, request, decodeLease, deadline);
    },
    replace: (current, term, deadline) => {
      const request = { verb: 'update', ...place, body: encodeLease(current, term) } as const;
      return writeObject(gateway, request, decodeLease, deadline);
    },
    list: (deadline) => {
      const selection = listed === undefined ? { query: WITHOUT_NODES } : { namespace: listed };
      return readWholeList(gateway, { resource: LEASES, decode: decodeListed, ...selection }, deadline);
    },
  };
}

/** A missing or malformed field counts as expired long ago. */
function decodeLease(native: unknown): StoredLease {
  const metadata = field(native, 'metadata');
  const spec = field(native, 'spec');
  const holder = field(spec, 'holderIdentity');
  return {
    holder: typeof holder === 'string' ? holder : '',
    durationSeconds: count(field(spec, 'leaseDurationSeconds')),
    acquiredAt: time(field(spec, 'acquireTime')),
    renewedAt: time(field(spec, 'renewTime')),
    transitions: count(field(spec, 'leaseTransitions')),
    resourceVersion: requiredText(field(metadata, 'resourceVersion'), MALFORMED),
    annotations: textMap(field(metadata, 'annotations'), MALFORMED),
    native,
  };
}

function decodeListed(native: unknown): ListedLease {
  const createdAt = requiredText(field(field(native, 'metadata'), 'creationTimestamp'), MALFORMED);
  const { holder, annotations } = decodeLease(native);
  return { holder, annotations, ...decodeIdentity(native, LEASES.kind, MALFORMED), createdAt };
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}

function time(value: unknown): number {
  const parsed = typeof value === 'string' ? Date.parse(value) : NaN;
  return Number.isNaN(parsed) ? 0 : parsed;
}

/** Fields that this service does not use are sent back unchanged. */
function encodeLease(
  { native, annotations }: Pick<StoredLease, 'native' | 'annotations'>,
  term: LeaseTerm,
): RawObject {
  return {
    ...(native as RawObject),
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: {
      ...(field(native, 'metadata') as RawObject),
      ...(annotations.size > 0 && { annotations: Object.fromEntries(annotations) }),
    },
    spec: {
      ...(field(native, 'spec') as RawObject | undefined),
      holderIdentity: term.holder,
      leaseDurationSeconds: term.durationSeconds,
      acquireTime: microTime(term.acquiredAt),
      renewTime: microTime(term.renewedAt),
      leaseTransitions: term.transitions,
    },
  };
}

/** MicroTime has exactly six digits of a second. API servers refuse the three of Date. */
const microTime = (ms: number): string => new Date(ms).toISOString().replace('Z', '000Z');
