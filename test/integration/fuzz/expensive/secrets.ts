import { annotation } from '../../../harness/annotation.ts';
import type { Choices } from '../random.ts';
import { anyChain } from './certificates.ts';
import { randomBytes } from './der.ts';
import { anyKey } from './keys.ts';
import { pem } from './pem.ts';

type Values = Readonly<Record<string, string>>;

/** A Secret that is expensive to parse, to keep, to search or to show. */
export interface ExpensiveSecret {
  readonly what: string;
  readonly type: string;
  readonly data: Values;
  /** Other values of the same type, that take its place one after the other. */
  readonly variants: readonly Values[];
  readonly description: string;
  readonly allowedGroups: readonly string[];
  readonly allowedUsers: readonly string[];
  /** Words of it, for searches. */
  readonly words: readonly string[];
  /** How it comes about: through the service, or past it. */
  readonly by: 'service' | 'kubectl';
}

/** Longer in lower case, in other forms or in bytes than in characters; and ordinary ones. */
const CHARACTERS = ['a', 'İ', 'ẞ', 'ǰ', 'ΐ', 'a\u0301\u0323', 'Σ', 'ﬃ', '🙂', '\u{1e900}', 'K', 'ä'];
const KIB = 1_024;
const DESCRIPTION_BYTES = [0, 100, 4 * KIB, 4 * KIB + 1, 60_000, 250_000];
const ENTRIES = [0, 1, 16, 256];
const NOTHING = { what: 'nothing much', type: 'Opaque', data: { a: 'b' } };
/** Keys that a TLS Secret has in turn. */
const KEYS = 8;

export function anyExpensiveSecret(choices: Choices): ExpensiveSecret {
  const { pick, chance } = choices;
  const by = chance(0.5) ? 'service' : 'kubectl';
  const content = chance(0.3) ? NOTHING : pick(CONTENTS)(choices);
  const { what: ofText, text: description } = chance(0.5) ? { what: 'none', text: '' } : anyText(choices);
  const [groups, users] = [anyEntries(choices, 'group'), anyEntries(choices, 'user')];
  return {
    variants: [],
    ...content,
    what: `${content.what}; description: ${ofText}; groups: ${groups.length}; users: ${users.length}; by ${by}`,
    description,
    allowedGroups: groups,
    allowedUsers: users,
    words: wordsOf(description, Object.keys(content.data)),
    by,
  };
}

/** As someone with kubectl writes it: past all checks but those of the cluster. */
export function annotationsOf(secret: ExpensiveSecret): Readonly<Record<string, string>> {
  const { description, allowedGroups, allowedUsers } = secret;
  const all = {
    [annotation('managed-by')]: 'service',
    [annotation('description')]: description,
    [annotation('allowed-groups')]: allowedGroups.join(),
    [annotation('allowed-users')]: allowedUsers.join(),
  };
  // The cluster takes 256 KiB: what is beyond is left out.
  let left = 250 * KIB;
  return Object.fromEntries(
    Object.entries(all).filter(([key, value]) => {
      left -= key.length + Buffer.byteLength(value);
      return left >= 0 && value !== '';
    }),
  );
}

function anyText(choices: Choices): { readonly what: string; readonly text: string } {
  const { pick } = choices;
  const [word, bytes] = [pick(CHARACTERS).repeat(pick([1, 3, 200])), pick(DESCRIPTION_BYTES)];
  const part = word + pick(['', ' ', ' 1 ', '\n', '-', `${'\u0307'.repeat(20)} `]);
  const text = part.repeat(Math.floor(bytes / Buffer.byteLength(part)));
  return { what: `${bytes} bytes of ${JSON.stringify(part.slice(0, 20))}`, text: `${text}end` };
}

function anyEntries(choices: Choices, kind: string): readonly string[] {
  const { pick, chance } = choices;
  if (chance(0.6)) return [];
  const [count, character, length] = [pick(ENTRIES), pick(CHARACTERS), pick([1, 100, 256])];
  const most = Math.floor(120_000 / Math.max(count, 1) / Buffer.byteLength(character));
  const text = character.repeat(Math.min(Math.floor(length / character.length), most));
  return Array.from({ length: count }, (_, index) => `${text.slice(10)}-${kind}-${index}`);
}

/** The last words of a text and of the keys, so that whoever looks for them comes to the end. */
function wordsOf(description: string, keys: readonly string[]): readonly string[] {
  const ofText = description.slice(-2_000).split(/\s/u).slice(-20);
  const all = [...ofText, ...keys.slice(-20)].map((word) => word.slice(-30)).filter((word) => word !== '');
  return ['e', 'n', 'd', 'end', ...new Set(all)];
}

type Content = Pick<ExpensiveSecret, 'what' | 'type' | 'data'> & Partial<Pick<ExpensiveSecret, 'variants'>>;
const CONTENTS: readonly ((choices: Choices) => Content)[] = [
  ...[tls, tls, tls, tls, manyKeys, manyKeys],
  ...[jwt, docker, dotEnv, plain],
];

function tls(choices: Choices): Content {
  const keys = Array.from({ length: KEYS }, () => anyKey(choices));
  const [chain, ca] = [anyChain(choices), choices.chance(0.3) ? anyChain(choices) : []];
  const text = (blocks: typeof chain): string => blocks.map((block) => pem(choices, block)).join('');
  const rest = {
    'tls.crt': text(chain).slice(0, 300_000),
    ...(ca.length > 0 ? { 'ca.crt': text(ca).slice(0, 300_000) } : {}),
  };
  const [data, ...variants] = keys.map((key) => ({ 'tls.key': pem(choices, key), ...rest }));
  const ofKeys = keys.map(({ what }) => what).join(', ');
  return {
    what: `${ofKeys}; ${chain.length} of ${chain[0]?.what ?? ''}; ${ca.length} in ca.crt`,
    type: 'kubernetes.io/tls',
    data: data ?? {},
    variants,
  };
}

function manyKeys({ pick }: Choices): Content {
  const [count, length] = pick([
    [1_900, 246],
    [1_900, 246],
    [20_000, 12],
    [100, 253],
  ]);
  const key = (index: number) => `${'k'.repeat(length - 6)}${String(index).padStart(6, '0')}`;
  const data = Object.fromEntries(Array.from({ length: count }, (_, index) => [key(index), '']));
  return { what: `${count} keys of ${length} characters`, type: 'Opaque', data };
}

function jwt(choices: Choices): Content {
  const [depth, bytes] = [choices.pick([1, 50, 20_000]), choices.pick([100, 100_000, 500_000])];
  const payload = `{"a":${'['.repeat(depth)}"${'x'.repeat(bytes / 2)}"${']'.repeat(depth)},"exp":1e308}`;
  const parts = ['{"alg":"none"}', payload].map((part) => Buffer.from(part).toString('base64url'));
  const signature = randomBytes(choices, bytes / 4).toString('base64url');
  return {
    what: `JWT of ${bytes} bytes, ${depth} deep`,
    type: 'Opaque',
    data: { token: [...parts, signature].join('.') },
  };
}

function docker({ pick }: Choices): Content {
  const deep = (depth: number) => `${'{"auths":'.repeat(depth)}{}${'}'.repeat(depth)}`;
  const wide = (count: number) =>
    `{"auths":{${Array.from({ length: count }, (_, index) => `"r${index}.io":{"auth":"YTpi"}`).join()}}}`;
  const [what, text] = pick([
    ['a docker configuration 20,000 deep', deep(20_000)],
    ['a docker configuration of 30,000 registries', wide(30_000)],
    ['a docker configuration of one number of 900 kB', `{"auths":${'9'.repeat(900_000)}}`],
    ['a docker configuration of 400,000 escapes', `{"auths":{},"${'\\n'.repeat(400_000)}":1}`],
    ['a docker configuration that repeats a key', `{${'"auths":{},'.repeat(80_000)}"auths":{}}`],
  ] as const);
  return { what, type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': text } };
}

function dotEnv({ pick }: Choices): Content {
  const [line, what] = pick([
    ['A=1\n', 'short lines'],
    ["A='${B}'\\\n", 'continued lines'],
    ['#'.repeat(1_000), 'comments'],
    ['="', 'open quotes'],
  ] as const);
  return {
    what: `.env of ${what}`,
    type: 'Opaque',
    data: { '.env': line.repeat(Math.floor(900_000 / line.length)) },
  };
}

function plain({ pick }: Choices): Content {
  const text = pick([...CHARACTERS, '\u0000', '\ufeff', '-----BEGIN ']);
  const data = { value: text.repeat(Math.floor(900_000 / Buffer.byteLength(text))) };
  return { what: `900 kB of ${JSON.stringify(text)}`, type: 'Opaque', data };
}
