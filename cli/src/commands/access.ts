import {
  hasAnyList,
  hasRules,
  LISTS_OF,
  type AccessLevel,
  type RuleList,
} from '../../../src/contract/access-rules.ts';
import { emailKey } from '../../../src/contract/email.ts';
import type { SecretSummary } from '../../../web/src/api/schema.ts';
import { command, type CommandContext } from '../command.ts';
import { Failure, usage } from '../failure.ts';
import { describe, pathOf, refOf, summaryOf, type SecretRef } from '../secrets/secrets.ts';
import { write } from '../secrets/write.ts';
import { writeJson, writeTable } from '../terminal/table.ts';
import { confirm } from './remove.ts';
import { wantsJson } from './list.ts';
import { CHANGE_OPTIONS, noteOf, report, wouldDo } from './write.ts';

interface Entry {
  readonly list: RuleList;
  readonly level: AccessLevel;
  readonly text: string;
  readonly isGroup: boolean;
}

const LEVELS = ['read', 'write', 'manage'] as const;

/** All lists, the highest level first. */
const ENTRIES = LEVELS.toReversed().flatMap((level) => [
  { level, list: LISTS_OF[level].groups, isGroup: true },
  { level, list: LISTS_OF[level].users, isGroup: false },
]);

/** `LEVEL=EMAIL` or `LEVEL=group:NAME`; what is removed may be any text. @throws {Failure} */
function parseEntry(text: string, isAllowed: boolean): Entry {
  const at = text.indexOf('=');
  const level = LEVELS.find((one) => one === text.slice(0, at));
  const who = text.slice(at + 1);
  const isGroup = who.startsWith('group:');
  const name = isGroup ? who.slice('group:'.length) : emailKey(who);
  if (level === undefined || name === '' || (isAllowed && !isGroup && !name.includes('@'))) {
    throw usage('access is given as LEVEL=EMAIL or LEVEL=group:NAME, with the level read, write or manage');
  }
  return { level, list: LISTS_OF[level][isGroup ? 'groups' : 'users'], text: name, isGroup };
}

export const access = command({
  name: 'access',
  summary: 'Show who has access to a Secret, or change it',
  usage: 'NAME',
  min: 1,
  max: 1,
  details: [
    'LEVEL is read, write or manage. Whoever is named on the Secret may do that and everything below it.',
    'A change that begins the rules of a Secret excludes whoever is not named; without any, those of its namespace decide. Both are confirmed first.',
    'Without a change, -o json is the access answer of the API with "rules": [{"level", "who"}].',
  ],
  options: {
    ...CHANGE_OPTIONS,
    allow: {
      type: 'string',
      multiple: true,
      value: 'LEVEL=WHO',
      summary: 'an email, or group:NAME; may be repeated',
    },
    remove: { type: 'string', multiple: true, value: 'LEVEL=WHO', summary: 'likewise; may be repeated' },
    yes: { type: 'boolean', short: 'y', summary: 'confirm at once' },
  },
  examples: [
    'secretsctl access -n team-a database',
    'secretsctl access -n team-a database --allow read=group:auditors --allow write=dev@example.com',
  ],
  async run(context, { positionals: [name = ''], options }) {
    const ref = refOf(context, name);
    const isJson = wantsJson(options.output);
    const allow = options.allow.map((text) => parseEntry(text, true));
    const removed = options.remove.map((text) => parseEntry(text, false));
    const base = await describe(context.service(), ref);
    if (allow.length + removed.length === 0) return show(context, ref, base, isJson);
    const rules = changed(base, allow, removed);
    const what = `access of ${[...allow, ...removed].map(({ text }) => text).join(', ')} changed`;
    if (options['dry-run']) {
      wouldDo(context, ref, what);
      return;
    }
    await requireConsent(context, base, rules, options.yes);
    const secret = await save(context, ref, base, { ...rules, ...noteOf(options) });
    report(context, options, secret, what);
  },
});

async function show(
  { service, terminal }: CommandContext,
  ref: SecretRef,
  base: SecretSummary,
  isJson: boolean,
) {
  const operation = 'GET /api/namespaces/{namespace}/secrets/{name}/access';
  const yours = await service().send(operation, { path: pathOf(ref) });
  const rules = ENTRIES.flatMap(({ level, list, isGroup }) =>
    (base[list] ?? []).map((who) => ({ level, who: isGroup ? `group:${who}` : who })),
  );
  if (isJson) writeJson(terminal, { ...yours, rules });
  else {
    terminal.line(`You: ${yours.level}, by ${yours.by}`);
    if (rules.length === 0)
      terminal.line('The Secret has no rules of its own: those of its namespace decide.');
    else
      writeTable(
        terminal,
        ['LEVEL', 'WHO'],
        rules.map(({ level, who }) => [level, who]),
      );
  }
  return undefined;
}

const isNamed = ({ text, isGroup }: Entry, one: string) => (isGroup ? one : emailKey(one)) === text;

function changed(base: SecretSummary, allow: readonly Entry[], removed: readonly Entry[]) {
  const rules: Partial<Record<RuleList, readonly string[]>> = {};
  for (const entry of removed) {
    const now = rules[entry.list] ?? base[entry.list] ?? [];
    rules[entry.list] = now.filter((one) => !isNamed(entry, one));
    if (rules[entry.list]?.length === now.length)
      throw new Failure('notFound', `${entry.text} is not named there`);
  }
  for (const entry of allow) {
    const now = rules[entry.list] ?? base[entry.list] ?? [];
    rules[entry.list] = now.some((one) => isNamed(entry, one)) ? now : [...now, entry.text];
  }
  return rules;
}

/**
 * Where no one managed by name, everyone of the namespace could; the first name ends that. The first list of all ends what
 * the namespace's readers, writers and machines could, until the last is empty.
 */
async function requireConsent(
  context: CommandContext,
  base: SecretSummary,
  rules: Partial<Record<RuleList, readonly string[]>>,
  isGiven: boolean,
): Promise<void> {
  const after = { ...base, ...rules };
  const isSame = hasRules(base) === hasRules(after) && hasAnyList(base) === hasAnyList(after);
  if (isGiven || isSame) return;
  const others = hasAnyList(base)
    ? `The rules of the namespace alone will decide who ${hasRules(base) ? 'manages it' : 'has access'}`
    : 'Only those who are named, and who manage in the namespace, will have access';
  const effect = hasRules(after) ? 'Only those who are named will have access' : others;
  await confirm(context, `${effect}. Continue?`);
}

function save(
  { service: connect }: CommandContext,
  ref: SecretRef,
  base: SecretSummary,
  rules: Partial<Record<RuleList, readonly string[]>>,
) {
  const service = connect();
  const body = { resourceVersion: base.resourceVersion, ...rules };
  const lists = ENTRIES.map(({ list }) => list).filter((list) => rules[list] !== undefined);
  return write<SecretSummary>({
    ...{ service, ref, base },
    send: async () =>
      summaryOf(
        (await service.send('PUT /api/namespaces/{namespace}/secrets/{name}', { path: pathOf(ref), body }))
          .secret,
      ),
    wasMade: (now) =>
      Promise.resolve(
        now?.version === base.version + 1 && lists.every((list) => isSameList(now[list], rules[list]))
          ? now
          : undefined,
      ),
  });
}

const isSameList = (one: readonly string[] = [], other: readonly string[] = []) =>
  one.toSorted().join('\n') === other.toSorted().join('\n');
