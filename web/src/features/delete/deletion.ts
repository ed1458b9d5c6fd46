import { isServiceAccountToken } from '../../../../src/contract/secret-types.ts';
import type { DeletedSecret, SecretsApi, SecretSummary } from '../../api/secrets-api.ts';
import { counted } from '../../values/format.ts';
import type { BulkJob, BulkOutcome, BulkOutcomes, BulkState } from '../bulk/bulk-job.ts';

/** Only the versions that were shown can be deleted, so that it is safe to try again. */
export function deletion(api: Pick<SecretsApi, 'remove' | 'deleted'>, wantsArchive: boolean): BulkJob {
  let deleted: Promise<readonly DeletedSecret[]> | undefined;
  const isArchived = ({ type }: SecretSummary) => wantsArchive && !isServiceAccountToken(type);
  const lookForDeleted = async (secret: SecretSummary): Promise<BulkOutcome> => {
    deleted ??= api.deleted(secret.namespace).catch(() => []);
    const isIt = (one: DeletedSecret) => one.name === secret.name && one.version === secret.version;
    const uid = isArchived(secret) ? (await deleted).find(isIt)?.uid : undefined;
    return uid === undefined ? { state: 'gone' } : { state: 'done', uid };
  };
  return {
    send: async (secret) => {
      const archive = isArchived(secret);
      const { status, uid } = await api.remove(secret, secret.resourceVersion, archive);
      return { state: status === 'deleted' ? 'done' : 'pending', ...(archive ? { uid } : {}) };
    },
    settle: (before, now) => {
      if (now === undefined) return lookForDeleted(before);
      // A detail has no UID, so another Secret of the name is recognized by the time of its creation.
      if (now.creationTimestamp !== before.creationTimestamp) return { state: 'replaced' };
      if (now.deletionTimestamp !== undefined && before.deletionTimestamp === undefined) {
        return { state: 'pending' };
      }
      return { state: now.resourceVersion === before.resourceVersion ? 'same' : 'changed' };
    },
  };
}

/**
 * What became of Secrets, in words.
 * @param restorable how many of them can be restored
 */
export function deletionText(secrets: readonly SecretSummary[], outcomes: BulkOutcomes, restorable: number) {
  const count = (state: BulkState) =>
    secrets.filter(({ name }) => outcomes.get(name)?.state === state).length;
  const [done, gone, pending, unknown] = [count('done'), count('gone'), count('pending'), count('unknown')];
  const left = secrets.length - done - gone - pending - unknown;
  const [first] = secrets;
  if (first !== undefined && secrets.length === 1) {
    if (pending > 0) return `${first.name} is being deleted: waiting for finalizers.`;
    if (gone > 0) return `${first.name} no longer exists.`;
    if (unknown > 0) return `${first.name} may or may not have been deleted.`;
    if (left > 0) return `${first.name} was not deleted.`;
    return restorable > 0
      ? `${first.name} is deleted.`
      : `${first.name} and its history are deleted permanently.`;
  }
  const parts = [
    done > 0 && `${counted(done, 'Secret')} deleted${restorable > 0 ? '' : ' permanently'}`,
    gone > 0 && `${gone} no longer ${gone === 1 ? 'exists' : 'exist'}`,
    pending > 0 && `${pending} waiting for finalizers`,
    unknown > 0 && `${unknown} may or may not have been deleted`,
    left > 0 && `${left} not deleted`,
  ];
  return `${parts.filter((part) => part !== false).join(', ')}.`;
}
