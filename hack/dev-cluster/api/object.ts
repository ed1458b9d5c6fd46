import { type Json, type JsonObject } from '../json/json.ts';

export interface OwnerReference extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

/** Metadata as it is kept. In a draft that has not been stored yet, what the cluster fills in is ''. */
export interface ObjectMeta extends JsonObject {
  readonly name: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation?: number;
  readonly creationTimestamp: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: JsonObject;
  readonly annotations?: JsonObject;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
}

/** An object without its kind and apiVersion, which the resource that holds it implies. Never changed in place. */
export interface ApiObject extends JsonObject {
  readonly metadata: ObjectMeta;
}

/** A copy with some of its metadata replaced; a field set to undefined is removed. */
export function withMeta(
  object: ApiObject,
  changes: Partial<Record<keyof ObjectMeta, Json | undefined>>,
): ApiObject {
  const metadata = new Map(Object.entries(object.metadata));
  for (const [field, value] of Object.entries(changes)) {
    if (value === undefined) metadata.delete(field);
    else metadata.set(field, value);
  }
  return { ...object, metadata: Object.fromEntries(metadata) as ObjectMeta };
}
