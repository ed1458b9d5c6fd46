import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { DEVELOPER_A, person } from '../../harness/api-client.ts';
import { jsonOf } from '../../harness/answers.ts';
import { secretsOf } from '../../harness/secrets-client.ts';
import { openStack, type Stack } from '../../harness/stack.ts';

// The examples of docs/api.md about levels of access, applied as they stand there.

const document = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8');

let stack: Stack;
beforeAll(async () => {
  stack = await openStack();
});
afterAll(() => stack.close());

const exampleAfter = (sentence: string, language: string): string => {
  const [, rest = ''] = document.split(`\n${sentence}\n`);
  return new RegExp(`^\n\`\`\`${language}\n([^\`]*)\n\`\`\``).exec(rest)?.[1] ?? '';
};

const levelOf = async (groups: readonly string[], path: string): Promise<unknown> => {
  const client = await stack.client(person('someone@example.com', groups));
  const { status, json } = await client.get(path);
  return status === 403 ? 403 : (json as { level: unknown }).level;
};

it('a team with readers: the team manages the Secret, on-call reads it, no one else', async () => {
  const example = exampleAfter('A Secret that the on-call group may read:', 'sh');
  const body = JSON.parse(/--data '([^']*)'/.exec(example)?.[1] ?? '') as { readonly name: string };
  const namespace = await stack.namespace();
  const secrets = secretsOf(await stack.client(DEVELOPER_A), namespace);
  await secrets.create(body.name, body);
  const path = secrets.path(body.name, '/access');
  expect(await levelOf(['team-a'], path)).toBe('manage');
  expect(await levelOf(['on-call'], path)).toBe('read');
  expect(await levelOf(['others'], path)).toBe(403);
});

it('a namespace that the team manages and auditors read, by the manifest of its policy', async () => {
  const sentence = 'A namespace that the team manages, CI writes to and auditors read:';
  const manifest = parse(exampleAfter(sentence, 'yaml')) as {
    readonly kind: string;
    readonly metadata: { readonly name: string };
    readonly data: Readonly<Record<string, string>>;
  };
  expect(manifest).toMatchObject({ kind: 'ConfigMap', metadata: { name: 'service-policy' } });
  const namespace = await stack.namespace();
  await stack.kube.setPolicy(namespace, manifest.data, manifest.metadata.name);
  const secrets = secretsOf(stack.admin, namespace);
  await secrets.create('a');
  const path = secrets.path('a', '/access');
  expect(await levelOf(['team-a'], path)).toBe('manage');
  expect(await levelOf(['team-a-ci'], path)).toBe('write');
  expect(await levelOf(['auditors'], path)).toBe('read');
  expect(await levelOf(['others'], path)).toBe(403);
  const auditor = await stack.client(person('auditor@example.com', ['auditors']));
  const { resourceVersion } = await secrets.read('a');
  expect(jsonOf(await auditor.get(secrets.path('a')), 200)).toMatchObject({
    secret: { data: { key: 'value 1' } },
  });
  expect((await auditor.put(secrets.path('a'), { resourceVersion, data: { key: 'x' } })).status).toBe(403);
});
