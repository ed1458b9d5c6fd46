import type { Patch } from './hostile-case.ts';

/** What placeholders stand for: `{issuer}`, `{shouted_issuer}`, `{origin}`, `{nonce}`, `{client_id}`, `{canary}`. */
export type Placeholders = Readonly<Record<string, string>>;

/**
 * Fills in a value of the corpus. It resolves placeholders in texts, and five objects:
 * `{"$now": -60}` (seconds from now), `{"$nowMs": 0}` (milliseconds), `{"$repeat": ["ab", 5000]}`, `{"$list": ["group-", 5000]}`
 * and `{"$deep": 1000}` (lists within lists).
 */
export function resolveValue(value: unknown, placeholders: Placeholders): unknown {
  if (typeof value === 'string') return fill(value, placeholders);
  if (Array.isArray(value)) return value.map((entry) => resolveValue(entry, placeholders));
  if (typeof value !== 'object' || value === null) return value;
  const { $now, $nowMs, $repeat, $list, $deep } = value as Record<string, unknown>;
  if (typeof $now === 'number') return Math.floor(Date.now() / 1_000) + $now;
  if (typeof $nowMs === 'number') return Date.now() + $nowMs;
  if (typeof $deep === 'number') return JSON.parse(`${'['.repeat($deep)}${']'.repeat($deep)}`) as unknown;
  if (isCounted($repeat)) return $repeat[0].repeat($repeat[1]);
  if (isCounted($list)) return Array.from({ length: $list[1] }, (_, index) => `${$list[0]}${index}`);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, resolveValue(inner, placeholders)]),
  );
}

/** Applies a patch to an object that was right. */
export function patched(
  right: Readonly<Record<string, unknown>>,
  patch: Patch | undefined,
  placeholders: Placeholders,
): Record<string, unknown> {
  const set = resolveValue(patch?.set ?? {}, placeholders) as Record<string, unknown>;
  const entries = Object.entries({ ...right, ...set }).filter(([name]) => !patch?.unset?.includes(name));
  return Object.fromEntries(entries);
}

function fill(text: string, placeholders: Placeholders): string {
  return text.replaceAll(/\{([a-z_]+)\}/g, (whole, name: string) => placeholders[name] ?? whole);
}

function isCounted(value: unknown): value is readonly [string, number] {
  return Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'number';
}
