import { readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect } from 'vitest';
import { AUDIT_ACTIONS } from '../../../src/api/runner/audit.ts';
import { person, type ApiAnswer, type ApiClient } from '../../harness/api-client.ts';
import { secretsOf, type SecretsClient } from '../../harness/secrets-client.ts';
import { startStack, type Stack } from '../../harness/stack.ts';
import { eventually } from '../../harness/eventually.ts';

export const PLANTED = 'planted-audit-value';

/** The line's own fields, before those that the outcome adds. */
const ALWAYS = [
  'level',
  'time',
  'component',
  'action',
  'actor',
  'subject',
  'session',
  'clientAddress',
  'clientRequestId',
  'requestId',
  'process',
  'sequence',
  'namespace',
  'outcome',
  'event',
];

export type Line = Readonly<Record<string, unknown>>;

export let stack: Stack;

export let namespace: string;

export let secrets: SecretsClient;

export let mixed: ApiClient;

let made = 0;

/** A name that no other test of the file uses. */
export const nextName = () => `s${++made}`;

beforeAll(async () => {
  stack = await startStack();
  namespace = await stack.namespace();
  secrets = secretsOf(stack.admin, namespace);
  mixed = await stack.client(person('Mixed@Example.COM', ['team-a', 'platform-admins']));
});

afterAll(() => stack.close());

export const create = (more: object = {}) => secrets.create(nextName(), { data: { a: PLANTED }, ...more });

export const uidOf = async (name: string) => (await stack.kube.getSecret(namespace, name))?.metadata.uid;

/** The audit lines of one request, once its `request` line is there: that one is written last. */
export async function linesOf(
  send: (headers: { 'x-request-id': string }) => Promise<ApiAnswer>,
  service = stack.service,
): Promise<readonly Line[]> {
  const clientRequestId = randomUUID();
  const { headers } = await send({ 'x-request-id': clientRequestId });
  const requestId = headers.get('x-request-id');
  expect(requestId).not.toBe(clientRequestId);
  return eventually(() => {
    const lines = service.logLines().filter((line) => line['requestId'] === requestId);
    expect(lines.map((line) => line['event'])).toContain('request');
    for (const line of lines.filter(isOfRequest)) expect(line).toMatchObject({ clientRequestId });
    return lines.filter((line) => line['component'] === 'audit');
  });
}

const isOfRequest = (line: Line): boolean => line['event'] === 'request' || line['event'] === 'audit';

/** The level that each change needs, which its lines name. */
const LEVEL_OF: Readonly<Record<string, string>> = {
  'secret.create': 'write',
  'secret.update': 'write',
  'secret.restore': 'write',
  'secret.delete': 'manage',
  'secret.deleted.restore': 'manage',
  'secret.deleted.remove': 'manage',
};

/** Expects exactly one line, with exactly these fields beyond the ones that every line has. */
export async function expectLine(
  send: (headers: { 'x-request-id': string }) => Promise<ApiAnswer>,
  line: Line & { readonly action: string; readonly outcome: string },
  service = stack.service,
): Promise<void> {
  const accessLevel = LEVEL_OF[line.action];
  const expected = accessLevel === undefined ? line : { accessLevel, ...line };
  const lines = await linesOf(send, service);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ level: 'info', event: 'audit', namespace, ...expected });
  expect(lines[0]).toMatchObject({
    clientAddress: expect.stringMatching(/^(127\.0\.0\.1|::1)$/) as string,
    subject: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    session: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
  });
  expect(AUDIT_ACTIONS).toContain(expected.action);
  const fields = new Set([...ALWAYS, ...Object.keys(expected)]);
  expect([...Object.keys(lines[0] ?? {})].sort()).toEqual([...fields].sort());
  expect(JSON.stringify(lines)).not.toContain(PLANTED);
}

/** The audit lines of all tests of a file, which it therefore calls last. */
export function expectLinesAsDocumented(): void {
  const document = readFileSync(new URL('../../../docs/audit.md', import.meta.url), 'utf8');
  const documented = new Set([...document.matchAll(/^- `(\w+)` \(/gm)].map(([, field]) => field));
  const lines = stack.service.logLines().filter((line) => line['component'] === 'audit');
  expect(lines.length).toBeGreaterThan(10);
  expect(lines.map((line) => line['sequence'])).toEqual(lines.map((_, index) => index + 1));
  expect(new Set(lines.map((line) => line['process'])).size).toBe(1);
  for (const line of lines) expect(Object.keys(line).filter((field) => !documented.has(field))).toEqual([]);
  expect(stack.service.output()).not.toContain(PLANTED);
}
