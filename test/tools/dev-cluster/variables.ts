import { isObject, type Json } from '../../../hack/dev-cluster/json/json.ts';

export type Variables = Map<string, string>;

/** Fills `${name}` with a variable and `${text*3}` with repetitions, in every key and text of a value. */
export function filled(value: Json, variables: Variables): Json {
  if (typeof value === 'string') return filledText(value, variables);
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => filled(item, variables));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [
    filledText(key, variables),
    filled(item ?? null, variables),
  ]);
  return Object.fromEntries(entries) as Json;
}

export function filledText(text: string, variables: Variables): string {
  return text.replace(/\$\{([\w-]+)(?:\*(\d+))?\}/g, (_whole, name: string, times: string | undefined) => {
    if (times !== undefined) return name.repeat(Number(times));
    const value = variables.get(name);
    if (value === undefined) throw new Error(`the scenario uses \${${name}} before it is known`);
    return value;
  });
}
