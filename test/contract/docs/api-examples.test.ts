import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEVELOPER_A, sessionCookie } from '../../harness/api-client.ts';
import { openStack, type Stack } from '../../harness/stack.ts';

interface Example {
  readonly commands: string;
  /** The JSON block that follows the commands, when there is one. */
  readonly answer: unknown;
}

/** Whatever differs from run to run is compared by its form. */
const VOLATILE: ReadonlyMap<string, RegExp> = new Map([
  ['resourceVersion', /^\d+$/],
  ['uid', /^[0-9a-f-]{36}$/],
  ['creationTimestamp', /^\d{4}-\d\d-\d\dT[\d:]+Z$/],
  ['createdAt', /^\d{4}-\d\d-\d\dT[\d:]+Z$/],
  ['lastModifiedAt', /^\d{4}-\d\d-\d\dT[\d:.]+Z$/],
]);

const [SETUP, ...EXAMPLES] = examplesOf(
  readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8'),
);

let stack: Stack;
let namespace: string;
let outputs: readonly string[];

beforeAll(async () => {
  stack = await openStack();
  namespace = await stack.namespace();
  const cookie = await sessionCookie(DEVELOPER_A);
  outputs = await runAll([
    `SERVICE='${stack.service.url}'`,
    `NAMESPACE='${namespace}'`,
    `COOKIE='${cookie}'`,
  ]);
});
afterAll(() => stack.close());

/** One shell for all examples, as a reader would have; only the three settings are the test's own. */
async function runAll(settings: readonly string[]): Promise<readonly string[]> {
  const lines = SETUP?.commands.split('\n') ?? [];
  const names = settings.map((setting) => setting.split('=')[0] ?? '');
  const rest = lines.filter((line) => !names.some((name) => line.startsWith(`${name}=`)));
  if (rest.length !== lines.length - names.length)
    throw new Error('the first example should set SERVICE, NAMESPACE and COOKIE');
  const script = [
    ...settings,
    ...rest,
    ...EXAMPLES.flatMap(({ commands }) => [commands, `printf '\\n@@@\\n'`]),
  ];
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script.join('\n')]);
  return stdout.split('\n@@@\n').slice(0, -1);
}

describe('the commands of docs/api.md', () => {
  it('are there', () => {
    expect(EXAMPLES.length).toBeGreaterThanOrEqual(10);
  });

  it.each(EXAMPLES.map((example, index) => [example.commands.split('\n')[0], example, index] as const))(
    '%s answers as the document says',
    (_what, { answer }, index) => {
      const output: unknown = JSON.parse(outputs[index] ?? '');
      if (answer === undefined) expect(output).not.toHaveProperty('error');
      else expect(comparable(output)).toEqual(comparable(answer));
    },
  );
});

function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null) return value === namespace ? 'shared' : value;
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]) => {
      const form = VOLATILE.get(field);
      if (form === undefined) return [field, comparable(inner)];
      expect(inner, field).toMatch(form);
      return [field, `<${field}>`];
    }),
  );
}

function examplesOf(markdown: string): readonly Example[] {
  const blocks = [...markdown.matchAll(/```sh\n([^`]*)\n```(?:\n\n```json\n([^`]*)\n```)?/g)];
  return blocks.map(([, commands = '', json]) => ({
    commands,
    answer: json === undefined ? undefined : (JSON.parse(json) as unknown),
  }));
}
