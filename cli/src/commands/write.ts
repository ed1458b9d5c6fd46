import { isDeepStrictEqual } from 'node:util';
import { parseExpiryTime } from '../../../src/contract/expiry.ts';
import { isValidKey, KEY_RULE } from '../../../src/contract/keys.ts';
import type { SecretSummary } from '../../../web/src/api/schema.ts';
import { command, OUTPUT, WRITE, type CommandArguments, type CommandContext } from '../command.ts';
import { Failure, usage } from '../failure.ts';
import { readAssignments, splitValues } from '../secrets/assignments.ts';
import {
  describe,
  isSame,
  pathOf,
  readKey,
  refOf,
  titleOf,
  type SecretRef,
  type Values,
} from '../secrets/secrets.ts';
import { write } from '../secrets/write.ts';
import { writeJson } from '../terminal/table.ts';
import { wantsJson } from './list.ts';

const FACTS = {
  description: { type: 'string', value: 'TEXT', summary: 'what it is for; "" removes it' },
  'expires-at': { type: 'string', value: 'TIME', summary: 'when it expires (RFC 3339); "" removes it' },
  'rotate-every': {
    type: 'string',
    value: 'PERIOD',
    summary: 'how often it is rotated, such as 90d; "" removes it',
  },
} as const;

export const CHANGE_OPTIONS = { ...OUTPUT, ...WRITE };

type WriteOptions = CommandArguments<typeof CHANGE_OPTIONS>['options'];
type FactOptions = CommandArguments<typeof FACTS>['options'];

export const noteOf = ({ note }: WriteOptions) => (note === undefined ? {} : { changeNote: note });

function factsOf(options: FactOptions) {
  const { description, 'expires-at': expiresAt, 'rotate-every': rotateEvery } = options;
  const given = Object.entries({ description, expiresAt, rotateEvery }).filter(
    ([, value]) => value !== undefined,
  );
  return Object.fromEntries(given) as {
    readonly description?: string;
    readonly expiresAt?: string;
    readonly rotateEvery?: string;
  };
}

/** What was saved: a line for people, the summary for programs. */
export function report(
  { terminal }: CommandContext,
  options: WriteOptions,
  secret: SecretSummary,
  what: string,
): undefined {
  if (wantsJson(options.output)) writeJson(terminal, secret);
  else terminal.line(`${titleOf(secret)}: ${what} (version ${secret.version})`);
  return undefined;
}

export function wouldDo({ terminal }: CommandContext, ref: SecretRef, what: string): undefined {
  terminal.line(`${titleOf(ref)}: would be ${what}; nothing was done`);
  return undefined;
}

export const set = command({
  name: 'set',
  summary: 'Set keys of a Secret; the others stay',
  usage: 'NAME [KEY=- | KEY=@FILE]…',
  min: 1,
  max: 1_000,
  details: [
    'A value comes from standard input (-), of which a terminal takes one line and shows nothing, or from a file (@FILE), byte for byte.',
    'Without a key, the description and dates alone are changed. Every command that saves a Secret writes its SecretSummary of the API with -o json.',
  ],
  options: { ...CHANGE_OPTIONS, ...FACTS },
  examples: [
    'printf %s "$PASSWORD" | secretsctl set -n team-a database password=-',
    'secretsctl set -n team-a web tls.crt=@web.crt tls.key=@web.key --note "renewed"',
    'secretsctl generate | secretsctl set -n team-a database password=- --note rotation',
  ],
  async run(context, { positionals: [name = '', ...assignments], options }) {
    const ref = refOf(context, name);
    wantsJson(options.output);
    const facts = factsOf(options);
    if (assignments.length === 0 && Object.keys(facts).length === 0) {
      throw usage(
        'nothing to change: give a KEY=- or KEY=@FILE, or --description, --expires-at or --rotate-every',
      );
    }
    const service = context.service();
    const base = await describe(service, ref);
    const values = await readAssignments(context.terminal, assignments);
    return patch(context, ref, { base, values, remove: [], facts, options });
  },
});

export const unset = command({
  name: 'unset',
  summary: 'Remove keys of a Secret',
  usage: 'NAME KEY…',
  min: 2,
  max: 1_000,
  details: ['The history keeps them: "secretsctl restore NAME VERSION --key KEY" brings one back.'],
  options: CHANGE_OPTIONS,
  examples: ['secretsctl unset -n team-a database old-password'],
  async run(context, { positionals: [name = '', ...keys], options }) {
    const ref = refOf(context, name);
    wantsJson(options.output);
    if (!keys.every(isValidKey)) throw usage(KEY_RULE);
    const base = await describe(context.service(), ref);
    const missing = keys.filter((key) => !base.keys.includes(key));
    if (missing.length > 0) throw new Failure('notFound', `${titleOf(ref)} has no key ${missing.join(', ')}`);
    return patch(context, ref, { base, values: new Map(), remove: keys, facts: {}, options });
  },
});

interface Patch {
  readonly base: SecretSummary;
  readonly values: Values;
  readonly remove: readonly string[];
  readonly facts: ReturnType<typeof factsOf>;
  readonly options: WriteOptions;
}

async function patch(context: CommandContext, ref: SecretRef, given: Patch): Promise<undefined> {
  const { base, values, remove, facts, options } = given;
  const what = changeInWords(base.keys, values, remove, Object.keys(facts));
  if (options['dry-run']) {
    wouldDo(context, ref, what);
    return;
  }
  const secret = await sendPatch(context, ref, { ...given, facts: { ...facts, ...noteOf(options) } });
  report(context, options, secret, what);
}

function changeInWords(
  keys: readonly string[],
  values: Values,
  remove: readonly string[],
  facts: readonly string[],
): string {
  const set = [...values.keys()];
  const parts = [
    ['added', set.filter((key) => !keys.includes(key))],
    ['set', set.filter((key) => keys.includes(key))],
    ['removed', remove],
    ['changed', facts],
  ] as const;
  return parts
    .flatMap(([verb, names]) => (names.length === 0 ? [] : [`${verb} ${names.join(', ')}`]))
    .join('; ');
}

/** What a write gives of a Secret besides its values. */
type Facts = Readonly<Record<string, unknown>>;

const NO_FACTS: Facts = { type: 'Opaque', description: '', expiresAt: '', rotateEvery: '' };

/** Whether a Secret has them all; the note is none of its own. The service writes a time in its own form, and nothing for an empty one. */
function hasFacts(now: SecretSummary, { changeNote: _note, ...facts }: Facts): boolean {
  const stored: Facts = { ...now };
  const formOf = (name: string, fact: unknown) =>
    name === 'expiresAt' ? parseExpiryTime(String(fact)) : fact === '' ? undefined : fact;
  return Object.entries(facts).every(([name, fact]) =>
    isDeepStrictEqual(formOf(name, stored[name]), formOf(name, fact)),
  );
}

/** One write of some keys. @throws {Failure} */
export async function sendPatch(
  { service: connect }: Pick<CommandContext, 'service'>,
  ref: SecretRef,
  { base, values, remove, facts }: Pick<Patch, 'base' | 'values' | 'remove'> & { readonly facts: Facts },
): Promise<SecretSummary> {
  const service = connect();
  const { text, binary } = splitValues(values);
  const body = {
    resourceVersion: base.resourceVersion,
    ...(text && { set: text }),
    ...(binary && { setBinary: binary }),
    ...(remove.length === 0 ? {} : { remove }),
    ...facts,
  };
  const operation = 'PATCH /api/namespaces/{namespace}/secrets/{name}';
  return write<SecretSummary>({
    ...{ service, ref, base },
    send: async () => (await service.send(operation, { path: pathOf(ref), body })).secret,
    async wasMade(now) {
      if (now?.version !== base.version + 1 || !hasFacts(now, facts)) return undefined;
      if (remove.some((key) => now.keys.includes(key))) return undefined;
      for (const [key, value] of values) {
        if (!now.keys.includes(key) || !isSame(await readKey(service, ref, key), value)) return undefined;
      }
      return values.size + remove.length > 0 ? now : undefined;
    },
  });
}

export const create = command({
  name: 'create',
  summary: 'Create a Secret',
  usage: 'NAME [KEY=- | KEY=@FILE]…',
  min: 1,
  max: 1_000,
  details: ['Values come from standard input (-) or files (@FILE), as for "set".'],
  options: {
    ...CHANGE_OPTIONS,
    ...FACTS,
    type: { type: 'string', value: 'TYPE', summary: 'Opaque without it' },
  },
  examples: [
    'secretsctl generate | secretsctl create -n team-a database password=- --description "orders, production"',
    'secretsctl create -n team-a web --type kubernetes.io/tls tls.crt=@web.crt tls.key=@web.key',
  ],
  async run(context, { positionals: [name = '', ...assignments], options }) {
    const ref = refOf(context, name);
    wantsJson(options.output);
    // Whoever is not signed in types nothing.
    context.service();
    const values = await readAssignments(context.terminal, assignments);
    if (options['dry-run']) {
      wouldDo(context, ref, `created with ${[...values.keys()].join(', ') || 'no key'}`);
      return;
    }
    const type = options.type === undefined ? {} : { type: options.type };
    const secret = await sendCreate(context, ref, values, {
      ...factsOf(options),
      ...noteOf(options),
      ...type,
    });
    report(context, options, secret, 'created');
  },
});

/** One new Secret. @throws {Failure} */
export async function sendCreate(
  { service: connect }: Pick<CommandContext, 'service'>,
  ref: SecretRef,
  values: Values,
  facts: Facts,
): Promise<SecretSummary> {
  const service = connect();
  const { text, binary } = splitValues(values);
  const body = {
    name: ref.name,
    ...facts,
    ...(text && { data: text }),
    ...(binary && { setBinary: binary }),
  };
  const path = { namespace: ref.namespace };
  const operation = 'POST /api/namespaces/{namespace}/secrets';
  return write<SecretSummary>({
    ...{ service, ref, base: undefined },
    send: async () => (await service.send(operation, { path, body })).secret,
    async wasMade(now) {
      if (now?.version !== 1 || now.keys.length !== values.size || values.size === 0) return undefined;
      if (!hasFacts(now, { ...NO_FACTS, ...facts })) return undefined;
      for (const [key, value] of values)
        if (!isSame(await readKey(service, ref, key), value)) return undefined;
      return now;
    },
  });
}
