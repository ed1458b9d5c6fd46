import * as z from 'zod';

/** The forms of the variables of OpenTelemetry, as its specification has them. */

const MAX_PAIRS = 64;
const MAX_CHARACTERS = 8_192;
/** Names of headers (RFC 9110, section 5.6.2), which names of attributes are as well. */
const NAME = /^[-!#$%&'*+.^_`|~0-9A-Za-z]+$/;
const VALUE = /^[\x20-\x7e]*$/;

/** `name=value,name=value`, with the values percent-encoded. */
export const keyValues = z.string().transform((value, context): Readonly<Record<string, string>> => {
  const pairs = value.length > MAX_CHARACTERS ? [] : value.split(',').map(pairOf);
  if (pairs.length > 0 && pairs.length <= MAX_PAIRS && !pairs.includes(undefined)) {
    return Object.fromEntries(pairs.filter((pair) => pair !== undefined));
  }
  context.addIssue({
    code: 'custom',
    message: 'must be name=value pairs separated by commas, with percent-encoded values',
  });
  return z.NEVER;
});

function pairOf(text: string): readonly [string, string] | undefined {
  const at = text.indexOf('=');
  const [name, value] = [text.slice(0, at).trim(), decoded(text.slice(at + 1).trim())];
  return at !== -1 && NAME.test(name) && value !== undefined && VALUE.test(value) ? [name, value] : undefined;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined; // The error would quote the value.
  }
}

export const samplerName = z.enum(
  [
    ...(['always_on', 'always_off', 'traceidratio'] as const),
    ...(['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'] as const),
  ],
  { error: 'must be always_on, always_off, traceidratio, or one of these after parentbased_' },
);

const RATIO_RULE = 'must be a number from 0 to 1';

export const ratio = z
  .string()
  .regex(/^(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)$/, RATIO_RULE)
  .transform(Number)
  .refine((value) => value <= 1, RATIO_RULE);
