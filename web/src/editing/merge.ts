import { RULE_LISTS, rulesOf, type AccessRules, type RuleList } from '../../../src/contract/access-rules.ts';
import { sameValue, type FormValues, type Value } from '../values/value.ts';
import { sameList } from './changes.ts';
import {
  storedRows,
  TEXT_FIELDS,
  textsOf,
  valuesOf,
  type Draft,
  type Editable,
  type TextField,
} from './draft.ts';

export type Side = 'theirs' | 'mine';

/** One thing that at least one side has changed since `base`. */
export interface Difference<Value> {
  readonly base: Value;
  readonly theirs: Value;
  readonly mine: Value;
  /** What follows by itself when only one side has changed it; undefined when someone has to choose. */
  readonly suggested: Side | undefined;
}

export interface KeyDifference extends Difference<Value | undefined> {
  readonly key: string;
}

/** The three-way comparison behind a conflict. */
export interface Conflict {
  readonly keys: readonly KeyDifference[];
  readonly texts: Readonly<Partial<Record<TextField, Difference<string>>>>;
  readonly rules: Readonly<Partial<Record<RuleList, Difference<readonly string[]>>>>;
}

/** What was chosen: by `key:<key>` or `field:<name>`. */
export type Choices = ReadonlyMap<string, Side>;

export function findConflict(base: Editable, theirs: Editable, mine: Draft): Conflict {
  const sameText = (left: string, right: string) => left === right;
  return {
    keys: keyDifferences(base.values, theirs.values, valuesOf(mine.rows)),
    texts: differences(TEXT_FIELDS, (field) =>
      difference(base[field] ?? '', theirs[field] ?? '', mine[field] ?? '', sameText),
    ),
    rules: differences(RULE_LISTS, (list) =>
      difference<readonly string[]>(base[list] ?? [], theirs[list] ?? [], mine[list] ?? [], sameList),
    ),
  };
}

/** Every difference under the name that it is chosen by, with what is suggested. */
export function suggestions(conflict: Conflict): ReadonlyMap<string, Side | undefined> {
  return new Map([
    ...conflict.keys.map(({ key, suggested }) => [`key:${key}`, suggested] as const),
    ...fieldDifferences(conflict).map(([name, { suggested }]) => [`field:${name}`, suggested] as const),
  ]);
}

/** The draft that results from the choices, to be saved on top of `theirs`. */
export function resolve(conflict: Conflict, choices: Choices, theirs: Editable, mine: Draft): Draft {
  const takeMine = (name: string) => choices.get(name) === 'mine';
  const merged = new Map(theirs.values);
  for (const { key, mine: value } of conflict.keys) {
    if (!takeMine(`key:${key}`)) continue;
    if (value === undefined) merged.delete(key);
    else merged.set(key, value);
  }
  const from = (name: string) => (takeMine(`field:${name}`) ? mine : theirs);
  return {
    rows: storedRows(merged, theirs.type),
    ...textsOf(Object.fromEntries(TEXT_FIELDS.map((field) => [field, from(field)[field]]))),
    description: from('description').description,
    ...mergedRules((list) => from(list)[list] ?? []),
  };
}

export type MergedField = TextField | RuleList;

/** The differences beside the values, in the order in which they are shown. */
export function fieldDifferences({
  texts,
  rules,
}: Conflict): readonly (readonly [MergedField, Difference<string | readonly string[]>])[] {
  const all = { ...texts, ...rules };
  return [...TEXT_FIELDS, ...RULE_LISTS].flatMap((field) => {
    const found = all[field];
    return found === undefined ? [] : [[field, found] as const];
  });
}

function differences<Field extends string, Value>(
  fields: readonly Field[],
  find: (field: Field) => Difference<Value> | undefined,
): Partial<Record<Field, Difference<Value>>> {
  const found = fields.map((field) => [field, find(field)]).filter(([, one]) => one !== undefined);
  return Object.fromEntries(found) as Partial<Record<Field, Difference<Value>>>;
}

function mergedRules(listOf: (list: RuleList) => readonly string[]): AccessRules {
  const lists = Object.fromEntries(RULE_LISTS.map((list) => [list, listOf(list)]));
  return rulesOf(lists as Record<RuleList, readonly string[]>);
}

function keyDifferences(base: FormValues, theirs: FormValues, mine: FormValues): readonly KeyDifference[] {
  const keys = [...new Set([...base.keys(), ...theirs.keys(), ...mine.keys()])].sort();
  return keys.flatMap((key) => {
    const found = difference<Value | undefined>(base.get(key), theirs.get(key), mine.get(key), sameValue);
    return found === undefined ? [] : [{ key, ...found }];
  });
}

function isThere<Value>(value: Value): value is NonNullable<Value> {
  return value !== undefined && value !== null;
}

function difference<Value>(
  base: Value,
  theirs: Value,
  mine: Value,
  same: (left: NonNullable<Value>, right: NonNullable<Value>) => boolean,
): Difference<Value> | undefined {
  const equal = (left: Value, right: Value) =>
    left === right || (isThere(left) && isThere(right) && same(left, right));
  const [theirsChanged, mineChanged] = [!equal(base, theirs), !equal(base, mine)];
  if (!theirsChanged && !mineChanged) return undefined;
  const suggested = !mineChanged || equal(theirs, mine) ? 'theirs' : theirsChanged ? undefined : 'mine';
  return { base, theirs, mine, suggested };
}
