import type { Choices } from './random.ts';

/** Stands in the values, in wrong places, in cookies and headers; no plain token, so nothing may repeat it. */
export const PLANTED = 'planted~7c41~value';

const KEYS = [
  'a',
  'key',
  '__proto__',
  'constructor',
  'toString',
  'A.b-c_9',
  '.',
  '..x',
  'ä',
  '',
  'x'.repeat(254),
];
/** What Kubernetes allows as keys, however they look to JavaScript. */
const SOUND_KEYS = KEYS.slice(0, 6);
const TEXTS = ['', PLANTED, `${PLANTED}\u0000`, '\ud800', '\ufeff', 'ä\r\n\t', '\u007f', 'null', '{}', '🙂'];
const JUNK: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  '',
  PLANTED,
  [],
  {},
  [PLANTED],
  { a: PLANTED },
  [[]],
];
/** For what is public: types and access rules are shown in lists, so the planted value is none of these. */
const PUBLIC_JUNK: readonly unknown[] = [null, true, 0, '', [], {}, [[]], ['a,b'], [null], 'no type\n'];
const TYPES = [
  '',
  'Opaque',
  'kubernetes.io/tls',
  'platform.io/basic-auth',
  'kubernetes.io/service-account-token',
  'kubernetes.io/dockerconfigjson',
  'example.com/custom',
  'bootstrap.kubernetes.io/token',
  'no type\n',
];
const TIMES = ['', '1970-01-01T00:00:00Z', '9999-12-31T23:59:59+01:00', '2027-02-30T00:00:00Z'];
const ENTRIES = [
  'team-a',
  ' team-b ',
  'a,b',
  '',
  ' ',
  'x'.repeat(257),
  `${PLANTED},`,
  '\udfff',
  'ADMIN@example.com',
];

export interface KnownSecret {
  readonly name: string;
  readonly resourceVersion: string;
}

export type BodyKind = 'create' | 'update' | 'patch' | 'restore';
const BODIES = { create: createBody, update: updateBody, patch: patchBody, restore: restoreBody };

/** A JSON text, or bytes that only resemble one; mostly of the kind that the path takes. */
export function anyBody(choices: Choices, known: readonly KnownSecret[], fitting: BodyKind): string | Buffer {
  const { chance, pick } = choices;
  if (chance(0.1)) return brokenBody(choices);
  if (chance(0.05)) return JSON.stringify(pick(JUNK));
  const kind = chance(0.75) ? fitting : pick(['create', 'update', 'patch', 'restore'] as const);
  const body = BODIES[kind](choices, known);
  // Half of the bodies are left as they are, so that requests get past the checks of fields.
  if (chance(0.5)) return JSON.stringify(Object.fromEntries(body));
  if (chance(0.4)) body.set(pick(['data', 'name', 'version', 'resourceVersion']), pick(JUNK));
  if (chance(0.1)) body.set(pick(['allowedGroups', 'allowedUsers', 'type']), pick(PUBLIC_JUNK));
  if (chance(0.16)) {
    body.set(pick(['binaryData', 'stringData', 'unknown', '__proto__', PLANTED, 'Name', '']), pick(JUNK));
  }
  return JSON.stringify(Object.fromEntries(body));
}

type Body = Map<string, unknown>;

function createBody(choices: Choices): Body {
  const { chance, pick, below } = choices;
  const body: Body = new Map([['name', chance(0.8) ? `made-${below(200)}` : anyName(choices)]]);
  if (chance(0.8)) body.set('data', anyData(choices));
  if (chance(0.2)) body.set('stringData', anyData(choices));
  if (chance(0.5)) body.set('type', pick(TYPES));
  addMetadata(choices, body);
  return body;
}

function updateBody(choices: Choices, known: readonly KnownSecret[]): Body {
  const body: Body = new Map([['resourceVersion', anyRevision(choices, known)]]);
  if (choices.chance(0.7)) body.set('data', anyData(choices));
  if (choices.chance(0.1)) body.set('recoverCounter', choices.pick([true, false, null]));
  addMetadata(choices, body);
  return body;
}

function patchBody(choices: Choices, known: readonly KnownSecret[]): Body {
  const { chance, pick } = choices;
  const body: Body = new Map([['resourceVersion', anyRevision(choices, known)]]);
  if (chance(0.6)) body.set('set', anyData(choices));
  if (chance(0.4)) body.set('setBinary', { [pick(KEYS)]: pick(['', 'AP8=', 'AP9=', 'AA', PLANTED, null]) });
  if (chance(0.3)) body.set('remove', [pick(KEYS), ...(chance(0.1) ? [pick(JUNK)] : [])]);
  if (chance(0.3)) body.set('description', pick(['', 'words', '\ud800']));
  addExpiry(choices, body);
  return body;
}

function restoreBody(choices: Choices, known: readonly KnownSecret[]): Body {
  return new Map<string, unknown>([
    ['resourceVersion', anyRevision(choices, known)],
    ['version', choices.pick([1, 1, 1, 2, 3, 0, -1, 1.5, 2 ** 53, '1'])],
  ]);
}

function addMetadata(choices: Choices, body: Body): void {
  const { chance, pick } = choices;
  addExpiry(choices, body);
  if (chance(0.1)) body.set('changeNote', pick(['', 'a note', 'x'.repeat(257), 'a\nb', '\ud800', null]));
  if (chance(0.2)) body.set('description', pick(['', 'words', 'words', '\ud800', 'x'.repeat(300_000)]));
  if (chance(0.1)) body.set('allowedGroups', ['team-a', ' team-b ']);
  if (chance(0.1)) body.set('allowedGroups', [pick(ENTRIES), pick(ENTRIES)]);
  if (chance(0.1)) body.set('allowedUsers', chance(0.1) ? Array(257).fill('u') : [pick(ENTRIES)]);
}

function addExpiry({ chance, pick }: Choices, body: Body): void {
  if (chance(0.1)) body.set('expiresAt', pick([...TIMES, ...JUNK]));
  if (chance(0.1))
    body.set('rotateEvery', pick(['', '1h', '30d', '3650d', '0d', '9'.repeat(9_000), ...JUNK]));
}

function anyData(choices: Choices): object {
  const { chance, pick, below } = choices;
  if (chance(0.08)) return { big: 'x'.repeat(1_048_577) };
  const keys = chance(0.8) ? SOUND_KEYS : KEYS;
  const key = () => pick(keys);
  const text = () => (chance(0.8) ? PLANTED : pick(TEXTS));
  return Object.fromEntries(Array.from({ length: below(4) }, () => [key(), text()]));
}

export function anyRevision({ chance, pick, below }: Choices, known: readonly KnownSecret[]): string {
  if (known.length > 0 && chance(0.8)) return pick(known.slice(-20)).resourceVersion;
  return pick(['', ' ', String(below(5_000)), PLANTED, '-1', '\u0000', 'x'.repeat(5_000)]);
}

export function anyName({ pick }: Choices): string {
  return pick([
    'a',
    'A',
    '-a',
    'a..b',
    '',
    'x'.repeat(254),
    'ä',
    PLANTED,
    'kube-root-ca.crt',
    'a/b',
    '../a',
    'a.v1.0',
  ]);
}

function brokenBody({ pick }: Choices): string | Buffer {
  return pick([
    '',
    '{',
    `{"name": "${PLANTED}`,
    `{"data": {"a": "${PLANTED}"}} trailing`,
    '\ufeff{}',
    Buffer.from([0x7b, 0xff, 0xfe, 0x7d]),
    Buffer.from(`{"name":"${PLANTED}"}`, 'utf16le'),
    '['.repeat(20_000),
    `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
    `{"data":${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}}`,
    '{"name":"a","name":"b"}',
    // Deep, wide and long in ways that cost a parser, or whoever looks through what it has parsed.
    `{"name":"a","x":[${'{},'.repeat(30_000)}{}]}`,
    `{"name":"a","data":{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":""`).join()}}}`,
    `{"name":"a","allowedGroups":[${'"g",'.repeat(50_000)}"g"]}`,
    `{"name":"a","description":"${'\\n'.repeat(100_000)}"}`,
    `{"name":"a",${' '.repeat(300_000)}"data":{}}`,
    '{"data":{"a":"1","a":"2"},"name":"twice"}',
    'null',
    '1e999',
  ]);
}
