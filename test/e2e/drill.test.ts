import { spawnSync } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
import { expect, it } from 'vitest';
import { debianProgram } from '../harness/debian-program.ts';
import { secretOf } from '../harness/answers.ts';
import { secretsOf } from '../harness/secrets-client.ts';
import { commandsBySection } from '../integration/docs/guide-commands.ts';
import { readDocument } from '../unit/observability/markdown-tables.ts';
import { DEVELOPER_A, DEVELOPER_B, freshNamespaces } from './fixture.ts';

const here = freshNamespaces();
const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;

/** The commands of the drill, for a namespace and a prefix of the run's own. */
function drill(): { readonly restore: string; readonly recover: string; readonly cleanUp: string } {
  const commands = (commandsBySection(readDocument('operations.md')).get('A drill') ?? []).map((command) =>
    command
      .replaceAll('team-a-drill', `${here.namespace}-drill`)
      .replaceAll('team-a', here.namespace)
      .replaceAll('service.io/', `${here.fixture.annotationPrefix}/`),
  );
  const recovery = commands.findIndex((command) => command.startsWith('name=orders'));
  const end = commands.findIndex((command) => command.startsWith('kubectl delete namespace'));
  return {
    restore: commands.slice(0, recovery).join('\n'),
    recover: commands.slice(recovery, end).join('\n'),
    cleanUp: commands.slice(end).join('\n'),
  };
}

function shell(script: string) {
  const jq = debianProgram('jq');
  const path = [dirname(jq.path), process.env['PATH'] ?? ''].join(delimiter);
  const env = { ...process.env, ...jq.env, PATH: path, KUBECONFIG: here.fixture.adminKubeconfig };
  const { status, stdout, stderr } = spawnSync('bash', ['-c', `set -euo pipefail\n${script}`], {
    env,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

it.runIf(hasKubectl)(
  'the drill of docs/operations.md brings back values, rules and earlier versions',
  async () => {
    const { fixture, namespace, secrets } = here;
    await fixture.kube.setPolicy(namespace, { allowedGroups: '["team-a"]' });
    const first = await secrets.create('orders', { data: { key: 'first' } });
    const change = { resourceVersion: first.resourceVersion, data: { key: 'second', more: '1' } };
    secretOf(await here.admin.put(secrets.path('orders'), change));

    const { restore, recover, cleanUp } = drill();
    const done = shell(`${restore}\n${recover}\necho "folder=$folder scratch=$scratch"`);
    expect(done.stderr).toBe('');
    expect(done.stdout).toContain('the copy is complete');

    const copies = (who: typeof here.admin) => secretsOf(who, `${namespace}-drill`);
    const member = await fixture.signIn(DEVELOPER_A);
    expect(secretOf(await member.get(copies(member).path('orders')))).toMatchObject({
      data: { key: 'first' },
    });
    const other = await fixture.signIn(DEVELOPER_B);
    expect((await other.get(copies(other).path('orders'))).status).toBe(403);

    const cleaned = shell(`${done.stdout.split('\n').at(-2) ?? ''}\n${cleanUp}`);
    expect([cleaned.status, cleaned.stderr]).toEqual([0, '']);
  },
);
