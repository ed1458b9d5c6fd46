import type { ManagedMetadata } from './managed-metadata.ts';

/** Raw values by key. Keys are user-chosen (`__proto__` among them), hence a Map. */
export type SecretData = ReadonlyMap<string, Uint8Array>;

export interface SecretRef {
  readonly namespace: string;
  readonly name: string;
}

/** Exactly one revision of one object: as preconditions of a write both must match, or nothing is changed. */
export interface Preconditions {
  readonly uid: string;
  /** Opaque; compared for equality only. */
  readonly resourceVersion: string;
}

/** What identifies a state of an object of any kind. */
export interface ObjectIdentity extends SecretRef, Preconditions {}

/** A Secret object without its values. */
export interface SecretMetadata extends ObjectIdentity {
  /** RFC 3339. */
  readonly creationTimestamp: string;
  /** RFC 3339; present while deletion waits for finalizers. */
  readonly deletionTimestamp: string | undefined;
  readonly labels: ReadonlyMap<string, string>;
  readonly annotations: ReadonlyMap<string, string>;
  /** The service's own labels and annotations, parsed by the store that has read the object. */
  readonly managed: ManagedMetadata;
}

/** The controller that will overwrite an edit of a Secret. */
export interface ControllerReference {
  readonly kind: string;
  readonly name?: string;
}

/** A Secret object as the cluster holds it: a live Secret or a snapshot. */
export interface StoredSecret extends SecretMetadata {
  readonly type: string;
  readonly immutable: boolean;
  /** The owner reference with `controller: true`. */
  readonly controllerOwner: ControllerReference | undefined;
  readonly data: SecretData;
  /** The cluster's own object. Only the store uses it, so that unknown fields survive a replacement. */
  readonly native: unknown;
}

/** What is needed to create a Secret object. */
export interface SecretDraft extends SecretRef {
  readonly type: string;
  readonly immutable?: boolean;
  readonly labels: ReadonlyMap<string, string>;
  readonly annotations: ReadonlyMap<string, string>;
  readonly data: SecretData;
}

/** Labels and annotations to set, or (undefined) to remove. */
export interface MetadataChange {
  readonly labels?: ReadonlyMap<string, string | undefined>;
  readonly annotations?: ReadonlyMap<string, string | undefined>;
}
