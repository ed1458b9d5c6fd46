import { command, OUTPUT, type CommandContext } from '../command.ts';
import { EXIT } from '../failure.ts';
import { pathOf, refOf, titleOf, type SecretRef } from '../secrets/secrets.ts';
import { whenLost } from '../secrets/write.ts';
import { writeJson, writeTable } from '../terminal/table.ts';
import { wantsJson } from './list.ts';
import { confirm, DRY_RUN } from './remove.ts';

export const consumers = command({
  name: 'consumers',
  summary: 'List the workloads that use a Secret, and restart them',
  usage: 'NAME',
  min: 1,
  max: 1,
  details: [
    'With --restart, those that have values as environment variables: these are read when a container starts. Mounted files follow by themselves, and a CronJob starts new pods anyway. With -o json: an array of {"kind", "name", "uses"}, or {"restarted", "failed"}.',
  ],
  options: {
    ...OUTPUT,
    ...DRY_RUN,
    restart: { type: 'boolean', summary: 'restart those that have old values' },
    yes: { type: 'boolean', short: 'y', summary: 'confirm at once' },
  },
  examples: [
    'secretsctl consumers -n team-a database',
    'secretsctl consumers -n team-a database --restart --yes',
  ],
  async run(context, { positionals: [name = ''], options }) {
    const ref = refOf(context, name);
    const isJson = wantsJson(options.output);
    const found = await consumersOf(context, ref);
    if (!options.restart) {
      if (isJson) writeJson(context.terminal, found);
      else
        writeTable(
          context.terminal,
          ['KIND', 'NAME', 'USES'],
          found.map(({ kind, name: own, uses }) => [kind, own, uses.join(',')]),
        );
      return;
    }
    const old = found.filter(
      ({ kind, uses }) => kind !== 'CronJob' && uses.some((use) => use.startsWith('env')),
    );
    const names = old.map(titleOfWorkload).join(', ');
    if (old.length === 0) {
      context.terminal.note('No workload has values of it as environment variables.');
      return;
    }
    if (options['dry-run']) {
      context.terminal.line(`${names}: would be restarted; nothing was done`);
      return;
    }
    if (!options.yes) await confirm(context, `Restart ${names}?`);
    return restart(
      context,
      ref,
      old.map(({ kind, name: own }) => ({ kind, name: own })),
      isJson,
    );
  },
});

type Workload = Awaited<ReturnType<typeof consumersOf>>[number];

const titleOfWorkload = ({ kind, name }: Pick<Workload, 'kind' | 'name'>) => `${kind} ${name}`;

async function consumersOf({ service }: CommandContext, ref: SecretRef) {
  const operation = 'GET /api/namespaces/{namespace}/secrets/{name}/consumers';
  return (await service().send(operation, { path: pathOf(ref) })).consumers;
}

async function restart(
  { service, terminal }: CommandContext,
  ref: SecretRef,
  workloads: readonly Pick<Workload, 'kind' | 'name'>[],
  isJson: boolean,
): Promise<number> {
  const operation = 'POST /api/namespaces/{namespace}/secrets/{name}/restart';
  const answer = await service()
    .send(operation, { path: pathOf(ref), body: { consumers: workloads } })
    .catch(whenLost('whether they were restarted is unknown', `kubectl get pods -n ${ref.namespace}`));
  const { restarted, failed } = answer;
  if (isJson) writeJson(terminal, answer);
  else if (restarted.length > 0) {
    terminal.line(`${titleOf(ref)}: restarted ${restarted.map(titleOfWorkload).join(', ')}`);
  }
  for (const one of failed) terminal.note(`secretsctl: ${titleOfWorkload(one)}: ${one.reason}`);
  if (failed.some(({ reason }) => reason === 'uncertain')) return EXIT.uncertain;
  return failed.length > 0 ? EXIT.error : EXIT.ok;
}
