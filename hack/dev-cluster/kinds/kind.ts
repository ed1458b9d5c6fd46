import { type ApiObject } from '../api/object.ts';
import { type FieldError, type Subject } from '../api/status.ts';
import { type JsonObject } from '../json/json.ts';
import { METADATA_LIST_RULES, type ListMergeRules } from '../patches/list-merge-rules.ts';
import { type NameRule } from '../validation/names.ts';
import { flag, listOf, mapOf, plainInteger, structOf, anything, text, integer, type Shape } from './shape.ts';
import { time } from './times.ts';

/** Everything that the generic request handlers must know about a resource. */
export interface Kind {
  /** '' for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The plural in paths. */
  readonly resource: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly namespaced: boolean;
  /** The package of the internal Go type; conversion errors name it. */
  readonly goPackage: string;
  readonly noCollectionDelete?: boolean;
  readonly nameRule: NameRule;
  /** The fields besides kind, apiVersion and metadata. */
  readonly fields: Readonly<Record<string, Shape>>;
  /** Whether PUT creates what is absent. */
  readonly createOnUpdate?: boolean;
  /** Whether PUT needs the revision that it replaces. */
  readonly needsRevision?: boolean;
  /** Whether DELETE answers the object that it deleted instead of a Status. */
  readonly returnsDeleted?: boolean;
  /** Whether metadata.generation counts the changes of spec. */
  readonly countsGenerations?: boolean;
  readonly listMergeRules?: ListMergeRules;
  /** Fills in defaults; `previous` is the stored object that is being replaced. */
  prepare?(draft: ApiObject, previous: ApiObject | undefined): ApiObject;
  /** The kind's own rules; metadata is checked elsewhere. */
  validate?(draft: ApiObject, previous: ApiObject | undefined): readonly FieldError[];
  /** Fields beyond metadata.name and metadata.namespace that a field selector may name. */
  selectable?(object: ApiObject): Readonly<Record<string, string>>;
}

export function apiVersionOf(kind: Kind): string {
  return kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
}

/** How the lists of its objects are merged, those of metadata among them. */
export function listRulesOf(kind: Kind): ListMergeRules {
  return { ...METADATA_LIST_RULES, ...kind.listMergeRules };
}

/** The plural with its group: the name of the resource in messages and in the store. */
export function resourceOf(kind: Kind): string {
  return kind.group === '' ? kind.resource : `${kind.resource}.${kind.group}`;
}

/** How failures name an object of the resource ("secrets"). */
export function resourceSubject(kind: Kind, name?: string): Subject {
  return { group: kind.group, kind: kind.resource, ...(name === undefined ? {} : { name }) };
}

/** How validations name it ("Secret"). */
export function kindSubject(kind: Kind, name: string): Subject {
  return { group: kind.group, kind: kind.kind, name };
}

/** The object as the API writes it, with its kind and apiVersion first. */
export function versioned(kind: Kind, object: ApiObject): JsonObject {
  return { kind: kind.kind, apiVersion: apiVersionOf(kind), ...object };
}

export const OWNER_REFERENCE = structOf({
  apiVersion: { ...text, omitZero: false },
  kind: { ...text, omitZero: false },
  name: { ...text, omitZero: false },
  uid: { ...text, omitZero: false },
  controller: flag,
  blockOwnerDeletion: flag,
});

/** The fields of metadata in the order in which the cluster writes them. */
export const METADATA = structOf({
  name: text,
  generateName: text,
  namespace: text,
  selfLink: text,
  uid: text,
  resourceVersion: text,
  generation: plainInteger,
  creationTimestamp: time,
  deletionTimestamp: time,
  deletionGracePeriodSeconds: integer,
  labels: mapOf(text),
  annotations: mapOf(text),
  ownerReferences: listOf(OWNER_REFERENCE),
  finalizers: listOf(text),
  managedFields: listOf(anything),
});
