import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hmac, rs256, spellJwt } from './forge-jwt.ts';
import type { Patch } from './hostile-case.ts';
import { patched } from './resolve-values.ts';

/** How to make one forged session, as one line of test/data/forged-sessions.jsonl has it. */
export interface ForgedSession {
  readonly name: string;
  readonly key?: keyof typeof KEYS;
  readonly sign?: 'none' | 'sha384' | 'sha512' | 'sha512cut' | 'rsa';
  readonly header?: Patch;
  readonly claims?: Patch;
  /** A payload that is no object of claims. */
  readonly json?: keyof typeof PAYLOADS;
  /** A valid token, spelt differently. */
  readonly mangle?: keyof typeof MANGLES;
  /** A valid token under another cookie name. */
  readonly rename?: string;
  /** A valid token over several cookies, badly. */
  readonly split?: keyof typeof SPLITS;
  readonly raw?: Readonly<Record<string, string>>;
}

const KEYS = {
  right: (secret: string) => secret,
  wrong: () => 'f00dfeedf00dfeedf00dfeedf00dfeed',
  empty: () => '',
  fallback: () => 'dev-secret-change-me-in-production',
  trailingSpace: (secret: string) => `${secret} `,
  upperCase: (secret: string) => secret.toUpperCase(),
} as const;

type ClaimSet = Readonly<Record<string, unknown>>;

const PAYLOADS = {
  exp1e999: (claims: ClaimSet) => JSON.stringify(claims).replace(/"exp":\d+/, '"exp":1e999'),
  list: (claims: ClaimSet) => JSON.stringify([claims]),
  text: (claims: ClaimSet) => JSON.stringify(JSON.stringify(claims)),
  null: () => 'null',
  empty: () => '',
  notJson: () => '{"sub": ',
  notUtf8: (claims: ClaimSet) =>
    Buffer.concat([Buffer.from(JSON.stringify(claims).slice(0, -1)), Buffer.from([0x2c, 0x22, 0xff, 0x22])]),
  proto: ({ sub, email, ...rest }: ClaimSet) =>
    `${JSON.stringify(rest).slice(0, -1)},"__proto__":${JSON.stringify({ sub, email })}}`,
} as const;

type TokenParts = readonly [header: string, payload: string, signature: string];

const otherPart = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const MANGLES = {
  dropSignature: ([head, payload]: TokenParts) => `${head}.${payload}`,
  emptySignature: ([head, payload]: TokenParts) => `${head}.${payload}.`,
  extraPart: (parts: TokenParts) => [...parts, 'AAAA'].join('.'),
  emptyExtraPart: (parts: TokenParts) => `${parts.join('.')}.`,
  paddedSignature: (parts: TokenParts) => `${parts.join('.')}=`,
  truncatedSignature: (parts: TokenParts) => parts.join('.').slice(0, -1),
  /** The last character of 43 carries 4 bits; the other two are unused and decode to the same bytes. */
  unusedBits: ([head, payload, signature]: TokenParts) => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const last = alphabet.indexOf(signature.slice(-1));
    return `${head}.${payload}.${signature.slice(0, -1)}${alphabet[last | 1] ?? ''}`;
  },
  flippedSignature: ([head, payload, signature]: TokenParts) => `${head}.${payload}.${flipped(signature)}`,
  swappedPayload: ([head, , signature]: TokenParts) =>
    `${head}.${otherPart({ sub: 'x', email: 'admin@example.com', iat: 0, exp: 9_999_999_999 })}.${signature}`,
  swappedHeader: ([, payload, signature]: TokenParts) =>
    `${otherPart({ alg: 'HS256' })}.${payload}.${signature}`,
  standardBase64: ([head, payload, signature]: TokenParts) => `${head}.${payload}.+/${signature.slice(2)}`,
  innerSpace: ([head, payload, signature]: TokenParts) => `${head}. ${payload}.${signature}`,
  quoted: (parts: TokenParts) => `"${parts.join('.')}"`,
  leadingDot: (parts: TokenParts) => `.${parts.join('.')}`,
  signatureOnly: ([, , signature]: TokenParts) => signature,
  twice: (parts: TokenParts) => parts.join('.') + parts.join('.'),
  upperCase: (parts: TokenParts) => parts.join('.').toUpperCase(),
  reversed: (parts: TokenParts) => [...parts].reverse().join('.'),
  percentEncoded: (parts: TokenParts) => parts.join('%2E'),
} as const;

type Header = readonly (readonly [name: string, value: string])[];

const NAME = 'service_session';
const halves = (token: string): readonly [string, string] => [token.slice(0, 80), token.slice(80)];

const flipped = (part: string): string => `${part.startsWith('A') ? 'B' : 'A'}${part.slice(1)}`;

const SPLITS = {
  missingSecond: (token: string): Header => [[NAME, `2:${halves(token)[0]}`]],
  swapped: (token: string): Header => [
    [NAME, `2:${halves(token)[1]}`],
    [`${NAME}.1`, halves(token)[0]],
  ],
  foreignPart: (token: string): Header => [
    [NAME, `2:${halves(token)[0]}`],
    [`${NAME}.1`, flipped(halves(token)[1])],
  ],
  countTooHigh: (token: string): Header => [
    [NAME, `3:${halves(token)[0]}`],
    [`${NAME}.1`, halves(token)[1]],
  ],
  countOne: (token: string): Header => [[NAME, `1:${token}`]],
  countNine: (token: string): Header => [
    [NAME, '9:'],
    ...Array.from({ length: 8 }, (_, index) => [`${NAME}.${index + 1}`, index === 0 ? token : ''] as const),
  ],
  noCount: (token: string): Header => [
    [NAME, halves(token)[0]],
    [`${NAME}.1`, halves(token)[1]],
  ],
  duplicate: (token: string): Header => [
    [NAME, token],
    [NAME, 'planted-by-a-neighbour'],
  ],
} as const;

/** All recipes, in the order of the file. */
export function readForgedSessions(): readonly ForgedSession[] {
  return readFileSync(new URL('../data/forged-sessions.jsonl', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as ForgedSession);
}

/** The Cookie header of a forged session, for a service whose SESSION_SECRET is `secret`. */
export function forgeSession(recipe: ForgedSession, secret: string): string {
  const { raw, rename = NAME, split } = recipe;
  if (raw !== undefined) return header(Object.entries(raw));
  const token = forgeToken(recipe, secret);
  return header(split === undefined ? [[rename, token]] : SPLITS[split](token));
}

/** A session by the book, from which every forgery differs in one thing. */
export function honestSession(secret: string): string {
  return forgeSession({ name: 'honest' }, secret);
}

function header(cookies: Header): string {
  return cookies.map(([name, value]) => `${name}=${value}`).join('; ');
}

function forgeToken(recipe: ForgedSession, secret: string): string {
  const now = Math.floor(Date.now() / 1_000);
  const right = {
    sub: 'forger',
    email: 'admin@example.com',
    name: 'Forger',
    groups: ['platform-admins'],
    iss: 'service',
    iat: now - 60,
    exp: now + 3_600,
  };
  const head = patched({ alg: 'HS256', typ: 'JWT' }, recipe.header, {});
  const claims = patched(right, recipe.claims, {});
  const signature = signer(recipe, KEYS[recipe.key ?? 'right'](secret));
  const token =
    recipe.json === undefined
      ? spellJwt(head, claims, signature)
      : spellRaw(head, PAYLOADS[recipe.json](claims), signature);
  return recipe.mangle === undefined
    ? token
    : MANGLES[recipe.mangle](token.split('.') as unknown as TokenParts);
}

function spellRaw(head: unknown, payload: string | Buffer, signature: (input: string) => Buffer): string {
  const input = `${otherPart(head)}.${Buffer.from(payload).toString('base64url')}`;
  return `${input}.${signature(input).toString('base64url')}`;
}

function signer({ sign }: ForgedSession, secret: string): (input: string) => Buffer {
  switch (sign) {
    case 'none':
      return () => Buffer.alloc(0);
    case 'sha384':
    case 'sha512':
      return hmac(sign, secret);
    case 'sha512cut':
      return (input) => hmac('sha512', secret)(input).subarray(0, 32);
    case 'rsa':
      return rs256(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey);
    default:
      return hmac('sha256', secret);
  }
}
