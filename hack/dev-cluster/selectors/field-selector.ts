import { type ApiObject } from '../api/object.ts';
import { badRequest } from '../api/status.ts';
import { type Kind } from '../kinds/kind.ts';

export interface FieldSelector {
  matches(object: ApiObject): boolean;
  /** The value that metadata.name must have, when the selector says so: rights by name apply to it. */
  readonly name: string | undefined;
  readonly empty: boolean;
}

interface Term {
  readonly field: string;
  readonly equal: boolean;
  readonly value: string;
}

const TERM = /^([^=!]+)(==|=|!=)(.*)$/;

/** Parses a field selector (`metadata.name=a,type!=b`); 400 when it is none or names a field that the kind lacks. */
export function parseFieldSelector(text: string, kind: Kind): FieldSelector {
  const terms = termsOf(text);
  for (const { field } of terms) {
    if (!isSelectable(field, kind)) {
      const where = `Unable to find "${kind.group}/${kind.version}, Resource=${kind.resource}" that match label selector "", field selector ${JSON.stringify(text)}`;
      throw badRequest(`${where}: field label not supported: ${field}`);
    }
  }
  return {
    empty: terms.length === 0,
    name: terms.find(({ field, equal }) => equal && field === 'metadata.name')?.value,
    matches: (object) =>
      terms.every(({ field, equal, value }) => (fieldOf(object, kind, field) === value) === equal),
  };
}

/** The name that a field selector pins down; nothing is said of selectors that do not parse. */
export function nameInFieldSelector(text: string): string | undefined {
  return text
    .split(',')
    .map((part) => TERM.exec(part.trim()))
    .find((term) => term?.[1]?.trim() === 'metadata.name' && term[2] !== '!=')?.[3];
}

function termsOf(text: string): readonly Term[] {
  if (text === '') return [];
  return text.split(',').map((part) => {
    const term = TERM.exec(part.trim());
    if (term === null)
      throw badRequest(`invalid selector: ${JSON.stringify(text)}; can't understand ${JSON.stringify(part)}`);
    return { field: (term[1] ?? '').trim(), equal: term[2] !== '!=', value: term[3] ?? '' };
  });
}

function isSelectable(field: string, kind: Kind): boolean {
  if (field === 'metadata.name' || (field === 'metadata.namespace' && kind.namespaced)) return true;
  return Object.hasOwn(kind.selectable?.(SAMPLE) ?? {}, field);
}

function fieldOf(object: ApiObject, kind: Kind, field: string): string {
  if (field === 'metadata.name') return object.metadata.name;
  if (field === 'metadata.namespace') return object.metadata.namespace ?? '';
  return kind.selectable?.(object)[field] ?? '';
}

/** An empty object, from which a kind's field names are read. */
const SAMPLE: ApiObject = { metadata: { name: '', uid: '', resourceVersion: '', creationTimestamp: '' } };
