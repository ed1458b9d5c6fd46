import { isSecretName, NAME_RULE } from '../../../src/contract/names.ts';
import type { Deleted, DeletionPending, SecretSummary } from '../../../web/src/api/schema.ts';
import { command, OUTPUT, type CommandContext } from '../command.ts';
import { Failure, usage } from '../failure.ts';
import { describe, pathOf, refOf, titleOf, type SecretRef } from '../secrets/secrets.ts';
import { Refusal } from '../service/service.ts';
import { whenLost, write } from '../secrets/write.ts';
import { writeJson } from '../terminal/table.ts';
import { allDeleted, wantsJson } from './list.ts';
import { wouldDo } from './write.ts';

export const DRY_RUN = {
  'dry-run': { type: 'boolean', summary: 'say what would be done, and do nothing' },
} as const;

const UID = { type: 'string', value: 'UID', summary: 'of several with one name, this one' } as const;

export const remove = command({
  name: 'delete',
  summary: 'Delete a Secret; it can be restored with its history',
  usage: 'NAME',
  min: 1,
  max: 1,
  details: [
    'With --purge the history is removed first, and nothing can be restored. With --deleted, what is kept of a Secret that was deleted before is removed. With -o json: the answer of the API to its DELETE.',
  ],
  options: {
    ...OUTPUT,
    ...DRY_RUN,
    purge: { type: 'boolean', summary: 'keep nothing' },
    deleted: { type: 'boolean', summary: 'remove what is kept of a deleted one' },
    uid: UID,
    yes: { type: 'boolean', short: 'y', summary: 'confirm at once' },
  },
  examples: ['secretsctl delete -n team-a database', 'secretsctl delete -n team-a scratch --purge --yes'],
  async run(context, { positionals: [name = ''], options }) {
    const ref = refOf(context, name);
    const isJson = wantsJson(options.output);
    if (options.deleted) {
      await purgeDeleted(context, ref, options);
      return;
    }
    const base = await describe(context.service(), ref);
    const what = options.purge ? 'deleted with its history' : 'deleted, and kept to be restored';
    if (options['dry-run']) {
      wouldDo(context, ref, what);
      return;
    }
    if (!options.yes)
      await confirm(
        context,
        `Delete ${titleOf(ref)}${options.purge ? ' permanently, with its history' : ''}?`,
      );
    const deleted = await deleteSecret(context, ref, base, options.purge);
    if (isJson) writeJson(context.terminal, deleted);
    else if (deleted.status === 'pending')
      context.terminal.line(`${titleOf(ref)}: is being deleted, once its finalizers allow it`);
    else context.terminal.line(`${titleOf(ref)}: ${what}`);
  },
});

/** @throws {Failure} unless the answer is yes */
export async function confirm(
  { terminal }: Pick<CommandContext, 'terminal'>,
  question: string,
): Promise<void> {
  const answer = await terminal.question(`${question} [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new Failure('error', 'cancelled: nothing was done');
}

function deleteSecret(
  { service: connect }: CommandContext,
  ref: SecretRef,
  base: SecretSummary,
  isPurged: boolean,
) {
  const service = connect();
  const keep = isPurged ? { keepHistory: 'false' } : { keepHistory: 'true', archive: 'true' };
  return write<Deleted | DeletionPending>({
    ...{ service, ref, base },
    send: () =>
      service.send('DELETE /api/namespaces/{namespace}/secrets/{name}', {
        path: pathOf(ref),
        query: { resourceVersion: base.resourceVersion, ...keep },
      }),
    // Gone is what was wanted, whoever did it.
    wasMade: (now) =>
      Promise.resolve(
        now === undefined
          ? {
              status: 'deleted',
              name: ref.name,
              deleted: ref.name,
              uid: '',
              history: isPurged ? 'cleaned' : 'retained',
            }
          : undefined,
      ),
  });
}

/** Of several with one name, the one that was deleted last. @throws {Failure} */
async function deletedOf(context: CommandContext, ref: SecretRef, uid: string | undefined) {
  const all = await allDeleted({ ...context, namespace: () => ref.namespace });
  const [deleted] = all
    .filter((one) => one.name === ref.name && (uid === undefined || one.uid === uid))
    .sort((one, other) => (other.deletedAt ?? '').localeCompare(one.deletedAt ?? ''));
  if (deleted !== undefined) return deleted;
  throw new Failure('notFound', `no deleted Secret ${titleOf(ref)} can be restored by you`);
}

interface PurgeOptions {
  readonly uid: string | undefined;
  readonly yes: boolean;
  readonly output: string | undefined;
  readonly 'dry-run': boolean;
}

async function purgeDeleted(context: CommandContext, ref: SecretRef, options: PurgeOptions): Promise<void> {
  const deleted = await deletedOf(context, ref, options.uid);
  const what = `what is kept of the one deleted at ${deleted.deletedAt ?? 'an unknown time'}`;
  if (options['dry-run']) {
    wouldDo(context, ref, `removed: ${what}`);
    return;
  }
  if (!options.yes) await confirm(context, `Remove ${what}, ${titleOf(ref)}, permanently?`);
  const path = { namespace: ref.namespace, uid: deleted.uid };
  const lost = whenLost('whether it was removed is unknown', `secretsctl list -n ${ref.namespace} --deleted`);
  const answer = await context
    .service()
    .send('DELETE /api/namespaces/{namespace}/deleted/{uid}', { path })
    .catch(lost);
  if (wantsJson(options.output)) writeJson(context.terminal, answer);
  else context.terminal.line(`${titleOf(ref)}: ${what} is removed`);
}

export const undelete = command({
  name: 'undelete',
  summary: 'Restore a deleted Secret',
  usage: 'NAME',
  min: 1,
  max: 1,
  details: [
    'Of several with one name, the one that was deleted last; "secretsctl list --deleted" shows their UIDs.',
  ],
  options: {
    ...OUTPUT,
    ...DRY_RUN,
    uid: UID,
    as: { type: 'string', value: 'NAME', summary: 'under another name' },
  },
  examples: ['secretsctl undelete -n team-a database'],
  async run(context, { positionals: [name = ''], options }) {
    const ref = refOf(context, name);
    const isJson = wantsJson(options.output);
    if (options.as !== undefined && !isSecretName(options.as))
      throw usage(`the name of a Secret ${NAME_RULE}`);
    const service = context.service();
    const deleted = await deletedOf(context, ref, options.uid);
    const target = { ...ref, name: options.as ?? ref.name };
    if (options['dry-run']) {
      wouldDo(context, target, `restored as it was in version ${deleted.version}`);
      return;
    }
    const path = { namespace: ref.namespace, uid: deleted.uid };
    const secret = await service
      .send('POST /api/namespaces/{namespace}/deleted/{uid}/restore', {
        path,
        body: options.as === undefined ? {} : { name: options.as },
      })
      .then(
        (answer) => answer.secret,
        (error: unknown) => afterLostRestore(context, target, error),
      );
    if (isJson) writeJson(context.terminal, secret);
    else context.terminal.line(`${titleOf(target)}: restored (version ${secret.version})`);
  },
});

/** Its name was free before: what has it now is what was restored, or another person's. */
async function afterLostRestore(
  { service }: CommandContext,
  target: SecretRef,
  error: unknown,
): Promise<never> {
  if (!(error instanceof Refusal) || !error.isUncertain) throw error;
  const isThere = await describe(service(), target).then(
    () => true,
    () => false,
  );
  const text = isThere ? `${titleOf(target)} exists now` : 'whether it was restored is unknown';
  return whenLost(text, `secretsctl get ${titleOf(target)}`)(error);
}
