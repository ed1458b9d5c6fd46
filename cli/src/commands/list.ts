import { command, OUTPUT, type CommandContext } from '../command.ts';
import { usage } from '../failure.ts';
import { writeJson, writeTable } from '../terminal/table.ts';
import type { SecretSummary } from '../../../web/src/api/schema.ts';

/** Whether JSON is wanted. @throws {Failure} for another format */
export function wantsJson(output: string | undefined): boolean {
  if (output !== undefined && output !== 'json') throw usage('--output must be json');
  return output === 'json';
}

const day = (time: string | undefined) => time?.slice(0, 10) ?? '';

export const namespaces = command({
  name: 'namespaces',
  summary: 'List the namespaces that you can open',
  usage: '',
  min: 0,
  max: 0,
  details: ['With -o json: an array of {"name": text, "canCreate": boolean}.'],
  options: OUTPUT,
  examples: ['secretsctl namespaces'],
  async run({ service, terminal }, { options }) {
    const isJson = wantsJson(options.output);
    const { namespaces: items } = await service().send('GET /api/namespaces');
    if (isJson) writeJson(terminal, items);
    else
      writeTable(
        terminal,
        ['NAME', 'CREATE'],
        items.map(({ name, canCreate }) => [name, canCreate ? 'yes' : 'no']),
      );
  },
});

export const list = command({
  name: 'list',
  summary: 'List the Secrets of a namespace, or what was deleted from it',
  usage: '',
  min: 0,
  max: 0,
  details: [
    'With -o json: an array of the SecretSummary objects of the API, or with --deleted of its DeletedSecret objects.',
  ],
  options: {
    ...OUTPUT,
    deleted: { type: 'boolean', summary: 'list the deleted Secrets that can be restored' },
  },
  examples: ['secretsctl list -n team-a', 'secretsctl list -n team-a -o json | jq -r ".[].name"'],
  async run(context, { options }) {
    const isJson = wantsJson(options.output);
    return options.deleted ? listDeleted(context, isJson) : listSecrets(context, isJson);
  },
});

async function listSecrets({ service, namespace, terminal }: CommandContext, isJson: boolean) {
  const path = { namespace: namespace() };
  const { secrets } = await service().send('GET /api/namespaces/{namespace}/secrets', { path });
  if (isJson) writeJson(terminal, secrets);
  else writeSecrets(terminal, secrets, false);
  return undefined;
}

export async function allDeleted({ service, namespace }: CommandContext) {
  const found = [];
  let page: string | undefined;
  do {
    const answer = await service().send('GET /api/namespaces/{namespace}/deleted', {
      path: { namespace: namespace() },
      query: page === undefined ? {} : { continue: page },
    });
    found.push(...answer.deleted);
    page = answer.continue;
  } while (page !== undefined);
  return found;
}

async function listDeleted(context: CommandContext, isJson: boolean) {
  const deleted = await allDeleted(context);
  if (isJson) writeJson(context.terminal, deleted);
  else {
    const rows = deleted.map(({ name, uid, keys, deletedAt, deletedBy }) => [
      ...[name, keys.join(','), day(deletedAt), deletedBy ?? '', uid],
    ]);
    writeTable(context.terminal, ['NAME', 'KEYS', 'DELETED', 'BY', 'UID'], rows);
  }
  return undefined;
}

function writeSecrets(
  terminal: CommandContext['terminal'],
  secrets: readonly SecretSummary[],
  withNamespace: boolean,
): void {
  const columns = ['NAME', 'TYPE', 'KEYS', 'VERSION', 'CHANGED', 'BY'];
  const rows = secrets.map(
    ({ namespace, name, type, keys, version, lastModifiedAt, creationTimestamp, lastModifiedBy }) => [
      ...(withNamespace ? [namespace] : []),
      ...[
        name,
        type,
        keys.join(','),
        String(version),
        day(lastModifiedAt ?? creationTimestamp),
        lastModifiedBy ?? '',
      ],
    ],
  );
  writeTable(terminal, withNamespace ? ['NAMESPACE', ...columns] : columns, rows);
}

export const search = command({
  name: 'search',
  summary: 'Search names, keys and descriptions in all namespaces',
  usage: 'WORD…',
  min: 1,
  max: 16,
  details: [
    'A Secret is found when each word occurs in its name, a key or its description, in any case. With -o json: an array of SecretSummary objects.',
  ],
  options: OUTPUT,
  examples: ['secretsctl search orders', 'secretsctl search stripe key'],
  async run({ service, terminal }, { positionals, options }) {
    const isJson = wantsJson(options.output);
    const { results, more, skipped } = await service().send('GET /api/search', {
      query: { q: positionals.join(' ') },
    });
    if (isJson) writeJson(terminal, results);
    else writeSecrets(terminal, results, true);
    if (more) terminal.note('There are more: add a word.');
    if (skipped.length > 0) terminal.note(`Not searched right now: ${skipped.join(', ')}`);
  },
});

export const expiring = command({
  name: 'expiring',
  summary: 'List what expires or is due for rotation, the soonest first',
  usage: '',
  min: 0,
  max: 0,
  details: [
    'Certificates, other values, declared dates and due rotations, in all namespaces. With -o json: an array of SecretSummary objects.',
  ],
  options: { ...OUTPUT, within: { type: 'string', value: 'PERIOD', summary: 'such as 7d; 30d without it' } },
  examples: ['secretsctl expiring --within 7d'],
  async run({ service, terminal }, { options }) {
    const isJson = wantsJson(options.output);
    const query = options.within === undefined ? {} : { within: options.within };
    const { items, more } = await service().send('GET /api/expiring', { query });
    if (isJson) writeJson(terminal, items);
    else {
      const rows = items.map(({ namespace, name, ...dates }) => [
        ...[namespace, name, day(dates.certificateNotAfter), day(dates.valueExpiresAt)],
        ...[day(dates.expiresAt), day(dates.rotationDueAt)],
      ]);
      writeTable(terminal, ['NAMESPACE', 'NAME', 'CERTIFICATE', 'VALUE', 'EXPIRES', 'ROTATE'], rows);
    }
    if (more) terminal.note('There are more: shorten the period.');
  },
});
