import type { Deadline } from '../timing/deadline.ts';
import { isServiceError, ServiceError } from '../errors/service-error.ts';
import type { LeaseStore, StoredLease } from '../kube/lease.ts';

/** The annotation of the Lease, whose key no setting changes, that records the prefix of annotations and labels. */
export const PREFIX_RECORD = 'secrets-management-service/annotation-prefix';

/** Each failed attempt means that another replica has written, so one replica succeeds each time. */
const MAX_TRIES = 8;

/**
 * Reads the recorded prefix, or records `prefix` if there is none. If replicas with different prefixes do so at the
 * same time, the Lease's revision lets one succeed, and the others read its prefix.
 * @throws {ServiceError} when the Lease cannot be read or written
 */
export async function recordedPrefix(
  lease: LeaseStore,
  prefix: string,
  wallNow: () => number,
  deadline: Deadline,
): Promise<string> {
  for (let tries = 1; ; tries++) {
    const current = await lease.read(deadline);
    const known = current?.annotations.get(PREFIX_RECORD);
    if (known !== undefined) return known;
    try {
      await record(lease, current, { prefix, now: wallNow() }, deadline);
      return prefix;
    } catch (error) {
      const codes = current === undefined ? (['exists'] as const) : (['conflict', 'notFound'] as const);
      if (tries === MAX_TRIES || !isServiceError(error, ...codes)) throw error;
    }
  }
}

async function record(
  lease: LeaseStore,
  current: StoredLease | undefined,
  { prefix, now }: { readonly prefix: string; readonly now: number },
  deadline: Deadline,
): Promise<void> {
  const annotations = new Map([[PREFIX_RECORD, prefix]]);
  if (current !== undefined) {
    await lease.annotate(current, annotations, deadline);
    return;
  }
  // A Lease without a holder, as after a release.
  const term = { holder: '', durationSeconds: 1, acquiredAt: now, renewedAt: now, transitions: 0 };
  await lease.create(term, annotations, deadline);
}

/** For the operator alone: what to do if another prefix is recorded. */
export function prefixMismatch(
  prefix: string,
  recorded: string,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): ServiceError {
  const known = /^[a-z0-9][-a-z0-9.]{0,252}$/.test(recorded) ? recorded : '(a text that is no prefix)';
  return new ServiceError(
    'notConfigured',
    `SERVICE_ANNOTATION_PREFIX is ${prefix}, but the Lease ${namespace}/${name} records ${known}. Under another prefix ` +
      'no access rule and no history that was written before has any effect. ' +
      `Set SERVICE_ANNOTATION_PREFIX=${known}, or, after everything was migrated (docs/operations.md, "Moving"), run: ` +
      `kubectl -n ${namespace} annotate lease ${name} --overwrite ${PREFIX_RECORD}=${prefix}`,
    { reason: 'annotationPrefixDiffers' },
  );
}
