import { isIP } from 'node:net';
import * as z from 'zod';
import { jsonOrUndefined } from '../contract/json-text.ts';
import { isNamespaceName, isSecretName } from '../contract/names.ts';
import { printable } from '../contract/printable.ts';
import { parseDuration } from '../contract/times.ts';

/** The forms of variables. A message states the rule, never the value. */

/** What `parse` makes of a text; undefined for one that breaks the rule. */
const parsed = <Value>(parse: (text: string) => Value | undefined, rule: string) =>
  z.string().transform((value, context): Value => {
    const result = parse(value);
    if (result !== undefined) return result;
    context.addIssue({ code: 'custom', message: rule });
    return z.NEVER;
  });

const wholeNumber = (min: number, max: number, rule: string) =>
  parsed((value) => {
    const number = /^[0-9]+$/.test(value) ? Number(value) : NaN;
    const isPlain = value.length <= String(max).length;
    return isPlain && number >= min && number <= max ? number : undefined;
  }, rule);

const oneOf = <const Names extends readonly string[]>(names: Names) =>
  z.enum(names, {
    // A formatter takes some 30 ms to make, so not at each start.
    error: () => `must be ${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(names)}`,
  });

export const text = z.string();
export const nonblank = text.refine((value) => value.trim() !== '', 'must not be blank');
/** What ends in a number is an address (URL Standard, section 3.5), so no host name does. */
export const host = text.refine(
  (value) => isIP(value) !== 0 || (isSecretName(value.toLowerCase()) && !/(^|\.)[0-9]+$/.test(value)),
  'must be an IP address, without brackets and port, or a host name',
);
export const file = text.regex(/^\//, 'must be an absolute path');
export const flag = oneOf(['true', 'false']).transform((value) => value === 'true');
export const port = wholeNumber(0, 65_535, 'must be a port number, 0 to 65535');
export const historyLimit = wholeNumber(1, 1_000, 'must be a whole number from 1 to 1000');

/** The quotes of keyboards, and those of word processors and web pages. */
const QUOTE = /^["'`\u2018-\u201f\u00ab\u00bb\u2039\u203a]$/;

/** The rule that a quoted setting breaks. */
export const QUOTES_RULE =
  'must not be in quotes: everything after the "=" is the value, and the quotes would be part of it';

/**
 * Whether a text begins and ends with a quote. A shell removes quotes; env files of kustomize and docker, ConfigMaps
 * and `kubectl set env` keep them.
 */
export function isQuoted(value: string): boolean {
  const trimmed = value.trim();
  return (
    trimmed.length > 1 && QUOTE.test(trimmed.charAt(0)) && QUOTE.test(trimmed.charAt(trimmed.length - 1))
  );
}

export const namespace = text.refine(isNamespaceName, 'must be a namespace, which is a DNS label');
export const subdomain = text.refine(
  isSecretName,
  'must be a DNS subdomain of at most 253 characters (lowercase letters, digits, "-" and ".")',
);

export function isWebUrl(value: string): boolean {
  if (!URL.canParse(value) || /[?#\s]/.test(value)) return false;
  const { protocol, username, password } = new URL(value);
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
}

/** Kept as text: an issuer is compared exactly (OpenID Connect Discovery 1.0, section 4.3). */
export const issuer = text.refine(
  isWebUrl,
  'must be an http or https URL without query, fragment or credentials',
);
export const webUrl = issuer.transform((value) => new URL(value));

const EMAIL = /^[^\s@,;:?&=<>"]{1,64}@[^\s@,;:?&=<>"]{1,253}$/;
const MAX_URL_CHARACTERS = 2_048;

const MAX_DISPLAY_NAME = 80;

export const displayName = nonblank.refine(
  (value) => printable(value, MAX_DISPLAY_NAME) === value,
  `must have at most ${MAX_DISPLAY_NAME} characters, all of them visible`,
);

/** Where people go who need access: a form, whose URL may have a query, or a mailbox. */
export const contact = text.refine((value) => {
  if (EMAIL.test(value)) return true;
  if (value.length > MAX_URL_CHARACTERS || /\s/.test(value) || !URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return protocol === 'https:' && username === '' && password === '';
}, 'must be an email address, or an https URL without credentials');

const QUOTED_ENTRY_RULE =
  'must not have quotes around an entry: they would be part of it (where they are, write a JSON array)';

/** A comma-separated list, or a JSON array if the value starts with `[`, whose entries may contain commas. */
export const principals = text
  .refine((value) => isJsonArray(value) || !entriesOf(value).some(isQuoted), QUOTED_ENTRY_RULE)
  .pipe(
    parsed((value) => {
      if (!isJsonArray(value)) return entriesOf(value);
      const list = z
        .array(z.string().refine((entry) => entry.trim() !== ''))
        .safeParse(jsonOrUndefined(value.trim()));
      return list.success ? list.data : undefined;
    }, 'must be comma-separated, or a JSON array of nonempty strings'),
  );

const isJsonArray = (value: string): boolean => value.trimStart().startsWith('[');

function entriesOf(value: string): string[] {
  return value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/** Each group of a sign-in is compared with each pattern, so both numbers are limited. */
const MAX_GROUP_PATTERNS = 64;
const MAX_GROUP_PATTERN_CHARACTERS = 256;

export const groupPatterns = principals.refine(
  (patterns) =>
    patterns.length > 0 &&
    patterns.length <= MAX_GROUP_PATTERNS &&
    patterns.every((pattern) => pattern.length <= MAX_GROUP_PATTERN_CHARACTERS),
  'must name 1 to 64 groups, in which * stands for any characters, each of at most 256 characters',
);

export const namespaces = principals
  .refine(
    (entries) => entries.length > 0 && entries.every((entry) => entry === '*' || isNamespaceName(entry)),
    'must be * or name at least one namespace, each a DNS label',
  )
  .transform((entries) => {
    const named = [...new Set(entries)].filter((entry) => entry !== '*').sort();
    return { everyNamespace: entries.includes('*'), named };
  });

const DAY_MS = 86_400_000;

export const duration = parsed(parseDuration, 'must be a duration such as 90s, 72h or 30d');
/** A longer silence would make the check useless. */
export const maxSilence = duration.refine((value) => value <= DAY_MS, 'must be a duration of at most 1d');

/** A longer window would overflow the timer that ends it, which would then end it immediately. */
const MAX_WINDOW_MS = 24 * DAY_MS;

/** At most `requests` within `windowMs`; undefined for `off`. */
export const rateLimit = parsed((value) => {
  if (value === 'off') return 'off' as const;
  const [, requests, window = ''] = /^([1-9][0-9]{0,6})\/(.+)$/.exec(value) ?? [];
  const windowMs = parseDuration(window);
  return windowMs !== undefined && windowMs <= MAX_WINDOW_MS
    ? { requests: Number(requests), windowMs }
    : undefined;
}, 'must be off, or a count and a duration of at most 24d, such as 1200/1m').transform((limit) =>
  limit === 'off' ? undefined : limit,
);

const SIZE_UNITS: Readonly<Record<string, number>> = { KiB: 1_024, MiB: 1_024 ** 2, GiB: 1_024 ** 3 };

/** Bytes of a size such as `512KiB`, `64MiB` or `1GiB`; undefined if it is malformed. */
export function parseSize(value: string): number | undefined {
  const [, count, unit = ''] = /^([1-9][0-9]{0,5})(KiB|MiB|GiB)$/.exec(value) ?? [];
  return count === undefined ? undefined : Number(count) * (SIZE_UNITS[unit] ?? NaN);
}

const MIB = 1_024 ** 2;
/** A session may use a quarter of it, and one body of 16 MiB, the contract's limit, must always fit. */
const MIN_BODY_BUDGET = 64 * MIB;

export const bodyBudget = parsed((value) => {
  const bytes = parseSize(value) ?? 0;
  return bytes >= MIN_BODY_BUDGET && bytes <= 65_536 * MIB ? bytes : undefined;
}, 'must be a size from 64MiB to 64GiB, such as 64MiB or 1GiB');

/** Express's names for subnets. */
const SUBNET_NAMES: readonly string[] = ['loopback', 'linklocal', 'uniquelocal'];

/**
 * Express' trust-proxy setting: true, false, a number of hops, or a comma-separated list of addresses and subnets.
 * Undefined if it is none of them: Express would throw only later, and quote the value.
 */
export function parseTrustProxy(value: string): boolean | number | string[] | undefined {
  if (value === 'true' || value === 'false') return value === 'true';
  if (/^[0-9]{1,2}$/.test(value)) return Number(value);
  const entries = value.split(',').map((entry) => entry.trim());
  return entries.every(isSubnet) ? entries : undefined;
}

function isSubnet(entry: string): boolean {
  if (SUBNET_NAMES.includes(entry)) return true;
  const match = /^([^/%]+)(?:\/([1-9][0-9]{0,2}))?$/.exec(entry);
  const version = isIP(match?.[1] ?? '');
  return version !== 0 && Number(match?.[2] ?? 1) <= (version === 4 ? 32 : 128);
}

export const trustProxy = parsed(
  parseTrustProxy,
  'must be true, false, a number of hops, or addresses and subnets',
);

export const scopes = text
  .transform((value) => value.trim().split(/\s+/))
  .refine((list) => list.includes('openid'), 'must be space-separated scopes with openid among them');
export const claimPath = text.regex(
  /^[^\s.]+(\.[^\s.]+)*$/,
  'must be a claim name, or a dotted path of claim names',
);
export const clientAuthMethod = oneOf(['client_secret_basic', 'client_secret_post']);
export const loggedRequests = oneOf(['all', 'notable']);
export const logLevel = oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']);

const MAX_PAIRS = 64;
const MAX_PAIR_CHARACTERS = 8_192;
/** Names of headers (RFC 9110, section 5.6.2), which names of attributes are as well. */
const PAIR_NAME = /^[-!#$%&'*+.^_`|~0-9A-Za-z]+$/;
const PAIR_VALUE = /^[\x20-\x7e]*$/;

/** `name=value,name=value`, with the values percent-encoded, as the specification of OpenTelemetry has it. */
export const keyValues = parsed((value): Readonly<Record<string, string>> | undefined => {
  const pairs = value.length > MAX_PAIR_CHARACTERS ? [] : value.split(',').map(pairOf);
  const known = pairs.filter((pair) => pair !== undefined);
  const isValid = pairs.length > 0 && pairs.length <= MAX_PAIRS && known.length === pairs.length;
  return isValid ? Object.fromEntries(known) : undefined;
}, 'must be name=value pairs separated by commas, with percent-encoded values');

function pairOf(pair: string): readonly [string, string] | undefined {
  const at = pair.indexOf('=');
  const [name, value] = [pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())];
  const isValid = at !== -1 && PAIR_NAME.test(name) && value !== undefined && PAIR_VALUE.test(value);
  return isValid ? [name, value] : undefined;
}

function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
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

export const ratio = parsed((value) => {
  const number = /^(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)$/.test(value) ? Number(value) : NaN;
  return number <= 1 ? number : undefined;
}, 'must be a number from 0 to 1');
