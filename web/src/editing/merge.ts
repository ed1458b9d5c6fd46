import { sameValue, type Value } from '../values/value.ts';
import { storedRows, valuesOf, type Draft, type Editable } from './draft.ts';
import { FIELDS, fieldsOf, fieldText, type Field, type Fields } from './fields.ts';

export type Side = 'theirs' | 'mine';

/** One thing that at least one side has changed since `base`. */
interface Difference<Value> {
  readonly base: Value;
  readonly theirs: Value;
  readonly mine: Value;
  /** What follows by itself when only one side has changed it; undefined when someone has to choose. */
  readonly suggested: Side | undefined;
}

export interface KeyDifference extends Difference<Value | undefined> {
  readonly key: string;
}

/** Of a text, or of a list in words. */
interface FieldDifference extends Difference<string> {
  readonly field: Field;
}

/** The three-way comparison behind a conflict, in the order in which it is shown. */
export interface Conflict {
  readonly keys: readonly KeyDifference[];
  readonly fields: readonly FieldDifference[];
}

/** What was chosen, or follows by itself: by `key:<key>` or `field:<name>`. */
export type Choices = ReadonlyMap<string, Side | undefined>;

export function findConflict(base: Editable, theirs: Editable, mine: Draft): Conflict {
  const [old, now, own] = [base.values, theirs.values, valuesOf(mine.rows)];
  const keys = [...new Set([...old.keys(), ...now.keys(), ...own.keys()])].sort();
  return {
    keys: keys.flatMap((key) => differing({ key }, [old.get(key), now.get(key), own.get(key)], sameValue)),
    fields: FIELDS.flatMap((field) => {
      const [was, is, will] = [fieldText(base, field), fieldText(theirs, field), fieldText(mine, field)];
      return differing({ field }, [was, is, will], Object.is);
    }),
  };
}

/** Nothing where both sides have left it as it was. */
function differing<Name extends object, Value>(
  name: Name,
  [base, theirs, mine]: readonly [base: Value, theirs: Value, mine: Value],
  same: (left: Value, right: Value) => boolean,
): readonly (Name & Difference<Value>)[] {
  const [theirsChanged, mineChanged] = [!same(base, theirs), !same(base, mine)];
  if (!theirsChanged && !mineChanged) return [];
  const suggested = !mineChanged || same(theirs, mine) ? 'theirs' : theirsChanged ? undefined : 'mine';
  return [{ ...name, base, theirs, mine, suggested }];
}

/** Every difference under the name that it is chosen by, with what is suggested. */
export function suggestions({ keys, fields }: Conflict): Choices {
  return new Map([
    ...keys.map(({ key, suggested }) => [`key:${key}`, suggested] as const),
    ...fields.map(({ field, suggested }) => [`field:${field}`, suggested] as const),
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
  const fields = FIELDS.map((field) => [field, (takeMine(`field:${field}`) ? mine : theirs)[field]]);
  return { rows: storedRows(merged, theirs.type), ...fieldsOf(Object.fromEntries(fields) as Fields) };
}
