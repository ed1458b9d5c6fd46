import { type ApiObject } from './object.ts';
import { notAcceptable } from './status.ts';
import { type Json, type JsonObject } from '../json/json.ts';
import { apiVersionOf, versioned, type Kind } from '../kinds/kind.ts';

/** How objects are written: whole, or their metadata alone. */
export type Form = 'whole' | 'metadata';

export const META_VERSION = 'meta.k8s.io/v1';
const ONE = 'PartialObjectMetadata';

/**
 * The form that an Accept header requests, taking its clauses in order. Tables are not offered: clients
 * that prefer them name plain JSON next. 406 when nothing fits.
 */
export function formOf(accept: string | undefined, list: boolean): Form {
  for (const clause of (accept ?? '*/*').split(',')) {
    const [type = '', ...parameters] = clause.split(';').map((part) => part.trim());
    if (!['application/json', 'application/*', '*/*'].includes(type)) continue;
    const as = parameters.find((parameter) => parameter.startsWith('as='))?.slice(3);
    if (as === undefined) return 'whole';
    if (as === (list ? `${ONE}List` : ONE)) return 'metadata';
  }
  throw notAcceptable();
}

/** The object as it is answered on its own, or in a watch event. */
export function presented(kind: Kind, object: ApiObject, form: Form): JsonObject {
  if (form === 'whole') return versioned(kind, object);
  return { kind: ONE, apiVersion: META_VERSION, metadata: object.metadata };
}

/** A list as text. Items are written one by one: with thousands of them no second tree is built. */
export function presentedList(
  kind: Kind,
  items: readonly ApiObject[],
  metadata: JsonObject,
  form: Form,
): string {
  const whole = form === 'whole';
  const head: Json = whole
    ? { kind: `${kind.kind}List`, apiVersion: apiVersionOf(kind), metadata }
    : { kind: `${ONE}List`, apiVersion: META_VERSION, metadata };
  const texts = items.map((item) => JSON.stringify(whole ? item : presented(kind, item, form)));
  return `${JSON.stringify(head).slice(0, -1)},"items":[${texts.join(',')}]}`;
}

/** The object of a bookmark: nothing but a revision. */
export function bookmarkObject(kind: Kind, revision: number, form: Form, initialEnd: boolean): JsonObject {
  const annotations = initialEnd ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {};
  const metadata = { resourceVersion: String(revision), ...annotations };
  if (form === 'metadata') return { kind: ONE, apiVersion: META_VERSION, metadata };
  return { kind: kind.kind, apiVersion: apiVersionOf(kind), metadata };
}
