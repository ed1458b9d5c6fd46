import { isServiceError } from '../../errors/service-error.ts';
import type { SecretMetadataStore } from '../../history/ports.ts';
import { present } from '../../kube/annotation-values.ts';
import type { SelectedPage } from '../../kube/page.ts';
import type { Preconditions, SecretRef } from '../../kube/secret.ts';
import type { SecretStore } from '../../secrets/ports.ts';
import { malformed } from '../objects/raw-object.ts';
import { SECRETS } from '../objects/resources.ts';
import { clusterError } from '../transport/errors.ts';
import type { ClusterRequest } from '../transport/request.ts';
import { listPage, readObject, writeObject, type Requests } from './objects.ts';
import {
  decodeMetadata,
  decodeSecret,
  encodeDraft,
  encodePatch,
  encodeReplacement,
  type AnnotationParser,
} from './secret-codec.ts';

/** Secrets as metadata, live. No value of a Secret is transferred. */
export function createSecretMetadataStore(gateway: Requests, codec: AnnotationParser): SecretMetadataStore {
  const decode = (native: unknown) => decodeMetadata(native, codec);
  return {
    read: (ref, deadline) => readObject(gateway, { ...placeOf(ref), asMetadata: true }, decode, deadline),
    patchMetadata: (ref, preconditions, change, deadline) => {
      const body = encodePatch(preconditions, change);
      const contentType = 'application/merge-patch+json';
      const request = { verb: 'patch', ...placeOf(ref), body, contentType, asMetadata: true } as const;
      return writeObject(gateway, request, decode, deadline);
    },
    delete: async (ref, preconditions, deadline) => {
      await gateway.request({ ...deletion(ref, preconditions), asMetadata: true }, deadline);
    },
  };
}

/** Secrets in the cluster. Every read and write is live. */
export function createSecretStore(gateway: Requests, codec: AnnotationParser): SecretStore {
  const { patchMetadata } = createSecretMetadataStore(gateway, codec);
  const decodeAs = (ref: Partial<SecretRef>) => (native: unknown) => decodeSecret(native, ref, codec);
  const store: SecretStore = {
    read: (ref, deadline) => readObject(gateway, placeOf(ref), decodeAs(ref), deadline),
    listPage: (namespace, page, deadline) => {
      const listing = { ...selection(namespace, page), decode: decodeAs({ namespace }) };
      return listPage(gateway, listing, page, deadline);
    },
    listMetadata: (namespace, page, deadline) => {
      const decode = (native: unknown) => {
        const metadata = decodeMetadata(native, codec);
        if (metadata.namespace !== namespace) throw malformed('malformedMetadata');
        return metadata;
      };
      return listPage(gateway, { ...selection(namespace, page), asMetadata: true, decode }, page, deadline);
    },
    create: (draft, deadline) => {
      const { namespace } = draft;
      const request = { verb: 'create', resource: SECRETS, namespace, body: encodeDraft(draft) } as const;
      return writeObject(gateway, request, decodeAs(draft), deadline);
    },
    replace: (current, change, deadline) => {
      const body = encodeReplacement(current, change);
      const request = { verb: 'update', ...placeOf(current), body } as const;
      return writeObject(gateway, request, decodeAs(current), deadline);
    },
    // Without the permission to patch, the object is read and replaced, with the permissions of an update.
    patchMetadata: (ref, preconditions, change, deadline) =>
      patchMetadata(ref, preconditions, change, deadline).catch(async (error: unknown) => {
        if (!isServiceError(error, 'rbacForbidden')) throw error;
        const { uid, resourceVersion } = preconditions;
        const current = await store.read(ref, deadline);
        if (current === undefined) throw clusterError('notFound', 'absent');
        if (current.uid !== uid || current.resourceVersion !== resourceVersion) {
          throw clusterError('conflict', 'changedBeforePatch');
        }
        // A replacement keeps the labels.
        for (const [name, text] of change.labels ?? []) if (current.labels.get(name) !== text) throw error;
        const annotations = present(new Map([...current.annotations, ...(change.annotations ?? [])]));
        return store.replace(current, { annotations }, deadline);
      }),
    delete: async (ref, preconditions, deadline) => {
      await gateway.request(deletion(ref, preconditions), deadline);
    },
  };
  return store;
}

function placeOf({ namespace, name }: SecretRef) {
  return { resource: SECRETS, namespace, name };
}

function selection(namespace: string, { labelSelector }: SelectedPage) {
  const query = { labelSelector: labelSelector === '' ? undefined : labelSelector };
  return { resource: SECRETS, namespace, query };
}

/** With the preconditions in the body: the cluster ignores those of the query if there is a body. */
function deletion(ref: SecretRef, { uid, resourceVersion }: Preconditions): ClusterRequest {
  const body = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid, resourceVersion } };
  return { verb: 'delete', ...placeOf(ref), body };
}
