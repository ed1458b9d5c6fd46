import type { SecretSummary } from '../../../web/src/api/schema.ts';
import { isValidKey, KEY_RULE } from '../../../src/contract/keys.ts';
import { textOf } from '../../../src/contract/text.ts';
import { command, OUTPUT, type CommandContext } from '../command.ts';
import { Failure, usage } from '../failure.ts';
import type { Service } from '../service/service.ts';
import {
  describe,
  isSame,
  pathOf,
  readSecret,
  readVersion,
  refOf,
  summaryOf,
  titleOf,
  versionOf,
  type SecretRef,
  type Values,
} from '../secrets/secrets.ts';
import { write } from '../secrets/write.ts';
import { writeJson, writeTable } from '../terminal/table.ts';
import { wantsJson } from './list.ts';
import { CHANGE_OPTIONS, noteOf, report, wouldDo } from './write.ts';

interface Changes {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

const inWords = (changes: Changes | undefined) =>
  changes === undefined
    ? ''
    : [
        ...changes.added.map((key) => `+${key}`),
        ...changes.changed.map((key) => `~${key}`),
        ...changes.removed.map((key) => `-${key}`),
      ].join(' ');

export const history = command({
  name: 'history',
  summary: 'List the versions of a Secret, the newest first',
  usage: 'NAME',
  min: 1,
  max: 1,
  details: [
    'Which keys each version added (+), changed (~) and removed (-), when, and by whom. With -o json: an array of {"version", "keys", "changes", "lastModifiedAt", "lastModifiedBy", "changeNote"}, as the API has them.',
  ],
  options: OUTPUT,
  examples: ['secretsctl history -n team-a database'],
  async run(context, { positionals: [name = ''], options }) {
    const ref = refOf(context, name);
    const isJson = wantsJson(options.output);
    const versions = await listVersions(context.service(), ref);
    if (isJson) {
      const facts = versions.map(
        ({ version, lastModifiedAt, lastModifiedBy, changes, changeNote, keys }) => ({
          ...{ version, lastModifiedAt, lastModifiedBy, changes, changeNote, keys },
        }),
      );
      writeJson(context.terminal, facts);
    } else {
      const rows = versions.map(({ version, lastModifiedAt, lastModifiedBy, changes, changeNote }, index) => [
        `${version}${index === 0 ? ' (now)' : ''}`,
        ...[
          lastModifiedAt?.slice(0, 16).replace('T', ' ') ?? '',
          lastModifiedBy ?? '',
          inWords(changes),
          changeNote ?? '',
        ],
      ]);
      writeTable(context.terminal, ['VERSION', 'CHANGED (UTC)', 'BY', 'KEYS', 'NOTE'], rows);
    }
  },
});

const READS = 3;

/** Read again where a write came in between: the live version would have the author of another. @throws {Failure} */
async function listVersions(service: Service, ref: SecretRef) {
  const operation = 'GET /api/namespaces/{namespace}/secrets/{name}/versions';
  for (let read = 0; read < READS; read++) {
    const [now, answer] = await Promise.all([
      describe(service, ref),
      service.send(operation, { path: pathOf(ref) }),
    ]);
    const { version, versions, changes, changeNote } = answer;
    if (version === now.version) return [{ ...now, changes, changeNote }, ...versions];
  }
  throw new Failure('conflict', `${titleOf(ref)} was changed each time it was read`);
}

/** `[NAMESPACE/]NAME[@VERSION]`. */
interface State {
  readonly ref: SecretRef;
  readonly version: number | undefined;
}

function stateOf(context: CommandContext, text: string, before?: State): State {
  const [name = '', version, ...more] = text.split('@');
  if (more.length > 0) throw usage('a version is given once, as in NAME@2');
  const ref = name === '' && before !== undefined ? before.ref : refOf(context, name);
  return { ref, version: version === undefined ? undefined : versionOf(version) };
}

const valuesAt = async (service: Service, { ref, version }: State): Promise<Values> =>
  (await (version === undefined ? readSecret(service, ref) : readVersion(service, ref, version))).values;

export const diff = command({
  name: 'diff',
  summary: 'Compare two versions, or two Secrets, by key',
  usage: 'A B',
  min: 2,
  max: 2,
  details: [
    'A and B are [NAMESPACE/]NAME[@VERSION]; without a version, what is live. B may be @VERSION alone.',
    'Keys of A alone have -, keys of B alone +, keys with different values ~. Values are shown with --show only. With -o json: {"added": keys, "changed": keys, "removed": keys}.',
  ],
  options: { ...OUTPUT, show: { type: 'boolean', summary: 'show the values that differ' } },
  examples: [
    'secretsctl diff -n team-a database@3 database',
    'secretsctl diff -n team-a database@2 @3 --show',
    'secretsctl diff staging/database production/database',
  ],
  async run(context, { positionals: [first = '', second = ''], options }) {
    const one = stateOf(context, first);
    const other = stateOf(context, second, one);
    const isJson = wantsJson(options.output);
    const service = context.service();
    const [before, after] = await Promise.all([valuesAt(service, one), valuesAt(service, other)]);
    const changes = changesBetween(before, after);
    if (isJson) writeJson(context.terminal, changes);
    else writeChanges(context, changes, options.show ? { before, after } : undefined);
  },
});

function changesBetween(before: Values, after: Values): Changes {
  return {
    added: [...after.keys()].filter((key) => !before.has(key)),
    changed: [...after.keys()].filter((key) => before.has(key) && !isSame(before.get(key), after.get(key))),
    removed: [...before.keys()].filter((key) => !after.has(key)),
  };
}

function writeChanges(
  { terminal }: CommandContext,
  { added, changed, removed }: Changes,
  shown: { readonly before: Values; readonly after: Values } | undefined,
): void {
  const values = (key: string): void => {
    for (const line of linesOf(shown?.before.get(key))) terminal.line(`    - ${line}`, 'red');
    for (const line of linesOf(shown?.after.get(key))) terminal.line(`    + ${line}`, 'green');
  };
  const lines = [
    ...removed.map((key) => ['-', key, 'red']),
    ...added.map((key) => ['+', key, 'green']),
    ...changed.map((key) => ['~', key, 'yellow']),
  ] as const;
  for (const [sign = '', key = '', colour] of lines) {
    terminal.line(`${sign} ${key}`, colour as 'red' | 'green' | 'yellow');
    if (shown !== undefined) values(key);
  }
  if (lines.length === 0) terminal.note('The values are the same.');
}

function linesOf(value: Uint8Array | undefined): readonly string[] {
  if (value === undefined) return [];
  return textOf(value)?.split('\n') ?? [`(binary, ${value.byteLength} bytes)`];
}

export const restore = command({
  name: 'restore',
  summary: 'Restore an archived version, or some keys of it',
  usage: 'NAME VERSION',
  min: 2,
  max: 2,
  details: ['The present state is archived first. Access rules are not restored.'],
  options: {
    ...CHANGE_OPTIONS,
    key: { type: 'string', multiple: true, value: 'KEY', summary: 'only this key; may be repeated' },
  },
  examples: [
    'secretsctl restore -n team-a database 3',
    'secretsctl restore -n team-a database 3 --key password',
  ],
  async run(context, { positionals: [name = '', text = ''], options }) {
    const ref = refOf(context, name);
    const version = versionOf(text);
    wantsJson(options.output);
    if (!options.key.every(isValidKey)) throw usage(KEY_RULE);
    const service = context.service();
    const base = await describe(service, ref);
    const source = await readVersion(service, ref, version);
    const keys = options.key.length === 0 ? {} : { keys: options.key };
    const what = `${options.key.join(', ') || 'all values'} restored from version ${version}`;
    if (options['dry-run']) {
      wouldDo(context, ref, what);
      return;
    }
    const body = {
      ...{ resourceVersion: base.resourceVersion, version, sourceResourceVersion: source.resourceVersion },
      ...keys,
      ...noteOf(options),
    };
    const secret = await write<SecretSummary>({
      ...{ service, ref, base },
      send: async () =>
        summaryOf(
          (
            await service.send('POST /api/namespaces/{namespace}/secrets/{name}/restore', {
              path: pathOf(ref),
              body,
            })
          ).secret,
        ),
      async wasMade(now) {
        if (now?.version !== base.version + 1) return undefined;
        const { values } = await readSecret(service, ref);
        const wanted =
          options.key.length === 0 ? new Set([...source.values.keys(), ...values.keys()]) : options.key;
        return [...wanted].every((key) => isSame(values.get(key), source.values.get(key))) ? now : undefined;
      },
    });
    report(context, options, secret, what);
  },
});
