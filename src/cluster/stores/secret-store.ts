import { isServiceError } from '../../errors/service-error.ts';
import type { Deadline } from '../../timing/deadline.ts';
import type { AnnotationCodec } from '../../kube/annotation-codec.ts';
import type { Preconditions, SecretRef, StoredSecret } from '../../kube/secret.ts';
import type { SelectedPage } from '../../kube/page.ts';
import type { SecretStore } from '../../secrets/ports.ts';
import { clusterError } from '../transport/errors.ts';
import type { Gateway } from '../transport/gateway.ts';
import { malformed } from '../objects/raw-object.ts';
import type { ClusterRequest } from '../transport/request.ts';
import { readObject, readPage } from './reads.ts';
import { SECRETS } from '../objects/resources.ts';
import {
  decodeMetadata,
  decodeWritten,
  deletion,
  METADATA_LIST,
  patchMetadata,
  placeOf,
} from './secret-metadata.ts';
import { decodeSecret, encodeDraft, encodeReplacement } from './secret-codec.ts';

/** Secrets in the cluster. Every read and write is live. */
export function createSecretStore(
  gateway: Pick<Gateway, 'request'>,
  codec: Pick<AnnotationCodec, 'parse'>,
): SecretStore {
  const write = async (
    request: ClusterRequest,
    { namespace, name }: SecretRef,
    deadline: Deadline,
  ): Promise<StoredSecret> => {
    const { body } = await gateway.request(request, deadline);
    return decodeWritten(() => decodeSecret(body, { namespace, name }, codec));
  };
  const patch = patchMetadata(gateway, codec);
  const store: SecretStore = {
    read: async (ref, deadline) => {
      const found = await readObject(gateway, placeOf(ref), deadline);
      return found && decodeSecret(found.body, ref, codec);
    },
    listPage: async (namespace, page, deadline) => {
      const reply = await gateway.request(listRequest(namespace, page), deadline);
      return readPage(reply, ['SecretList'], (native) => decodeSecret(native, { namespace }, codec));
    },
    listMetadata: async (namespace, page, deadline) => {
      const request = { ...listRequest(namespace, page), accept: METADATA_LIST };
      const reply = await gateway.request(request, deadline);
      return readPage(reply, ['PartialObjectMetadataList'], (native) => {
        const metadata = decodeMetadata(native, codec);
        if (metadata.namespace !== namespace) throw malformed('malformedMetadata');
        return metadata;
      });
    },
    create: (draft, deadline) =>
      write(
        { verb: 'create', resource: SECRETS, namespace: draft.namespace, body: encodeDraft(draft) },
        draft,
        deadline,
      ),
    replace: (current, change, deadline) =>
      write(
        { verb: 'update', ...placeOf(current), body: encodeReplacement(current, change) },
        current,
        deadline,
      ),
    // Without the permission to patch, the object is read and replaced, with the permissions of an update.
    patchMetadata: async (ref, preconditions, change, deadline) => {
      try {
        return await patch(ref, preconditions, change, deadline);
      } catch (error) {
        if (!isServiceError(error, 'rbacForbidden') || change.labels !== undefined) throw error;
        const { uid, resourceVersion } = preconditions;
        const { annotations = new Map<string, string>() } = change;
        return replaceMetadata(store, { ...ref, uid, resourceVersion }, annotations, deadline);
      }
    },
    delete: async (ref, preconditions, deadline) => {
      await gateway.request(deletion(ref, preconditions), deadline);
    },
  };
  return store;
}

/** Replaces exactly this revision of this object, as a patch with preconditions would. */
async function replaceMetadata(
  store: Pick<SecretStore, 'read' | 'replace'>,
  { uid, resourceVersion, ...ref }: SecretRef & Preconditions,
  change: ReadonlyMap<string, string | undefined>,
  deadline: Deadline,
): Promise<StoredSecret> {
  const current = await store.read(ref, deadline);
  if (current === undefined) throw clusterError('notFound', 'absent');
  if (current.uid !== uid || current.resourceVersion !== resourceVersion) {
    throw clusterError('conflict', 'changedBeforePatch');
  }
  const annotations = new Map(current.annotations);
  for (const [name, text] of change) {
    if (text === undefined) annotations.delete(name);
    else annotations.set(name, text);
  }
  return store.replace(current, { annotations }, deadline);
}

function listRequest(namespace: string, page: SelectedPage): ClusterRequest {
  const { labelSelector, limit, continueToken, maxBytes } = page;
  return {
    verb: 'list',
    resource: SECRETS,
    namespace,
    query: {
      labelSelector: labelSelector === '' ? undefined : labelSelector,
      limit: String(limit),
      continue: continueToken,
    },
    maxBytes,
  };
}
