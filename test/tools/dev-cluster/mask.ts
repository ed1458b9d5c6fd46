import {
  isObject,
  objectAt,
  sortedEntries,
  textAt,
  withField,
  withPath,
  type Json,
} from '../../../hack/dev-cluster/json/json.ts';
import { type Variables } from './variables.ts';

const REVISION = /^\d+$/;

/**
 * Masks what differs from run to run, as the recordings do. Revisions are only known by their order once the
 * whole scenario has been played, so they are collected first and numbered by `numbered`.
 */
export class Mask {
  readonly #revisions = new Set<string>();
  readonly #variables: Variables;

  constructor(variables: Variables) {
    this.#variables = variables;
  }

  masked(value: Json, key = ''): Json {
    if (typeof value === 'string') return this.#maskedText(value, key);
    if (Array.isArray(value)) return (value as readonly Json[]).map((item) => this.masked(item));
    if (!isObject(value)) return value;
    const kept = Object.entries(value).filter(([name]) => name !== 'managedFields');
    const entries = kept.map(([name, item]) => [this.#withoutRun(name), this.masked(item ?? null, name)]);
    return Object.fromEntries(entries) as Json;
  }

  /** Replaces the collected revisions by their rank. */
  numbered(value: Json): Json {
    const ranks = [...this.#revisions].map(Number).sort((a, b) => a - b);
    const walk = (item: Json, key: string): Json => {
      if (Array.isArray(item)) return (item as readonly Json[]).map((each) => walk(each, ''));
      if (isObject(item)) {
        return Object.fromEntries(
          Object.entries(item).map(([name, each]) => [name, walk(each ?? null, name)]),
        );
      }
      const isRevision = key === 'resourceVersion' && typeof item === 'string' && REVISION.test(item);
      return isRevision ? `#${ranks.indexOf(Number(item)) + 1}` : item;
    };
    return walk(value, '');
  }

  #maskedText(text: string, key: string): string {
    if (key === 'resourceVersion' && REVISION.test(text)) {
      this.#revisions.add(text);
      return text;
    }
    if (key === 'uid' || key === 'continue' || key === 'token') return `<${key}>`;
    if (/(Timestamp|^time|Time)$/.test(key)) return '<time>';
    let result = text;
    for (const [name, value] of this.#variables) {
      if (/^(uid|rv|jwt)/.test(name) && value !== '') result = result.replaceAll(value, `<${name}>`);
    }
    return this.#withoutRun(result);
  }

  #withoutRun(text: string): string {
    return text.replaceAll(this.#variables.get('run') ?? '', '<run>');
  }
}

/** A list's own revision moves with every other writer. */
export function withoutListRevision(body: Json): Json {
  const isList = textAt(body, 'kind').endsWith('List');
  if (!isObject(body) || !isList || textAt(body, 'metadata', 'resourceVersion') === '') return body;
  return withPath(body, ['metadata', 'resourceVersion'], '<list>');
}

/** Takes out what the recording does not compare. */
export function without(body: Json, path: readonly string[]): Json {
  const [key, ...rest] = path;
  if (!isObject(body) || key === undefined) return body;
  if (rest.length === 0) return withField(body, key, undefined);
  const inner = objectAt(body, key);
  return inner === undefined ? body : withField(body, key, without(inner, rest));
}

/** JSON with sorted keys, a line per value: differences show well, and keys like `__proto__` count. */
export function canonical(value: Json | undefined): string {
  const sorted = (item: Json): Json => {
    if (Array.isArray(item)) return (item as readonly Json[]).map(sorted);
    if (!isObject(item)) return item;
    return Object.fromEntries(sortedEntries(item).map(([key, each]) => [key, sorted(each)]));
  };
  return JSON.stringify(sorted(value ?? null), undefined, 1);
}
