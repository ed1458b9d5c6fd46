import { readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { AUDIT_ACTIONS } from '../../../src/api/runner/audit.ts';
import type { ApiAnswer } from '../../harness/api-client.ts';
import type { SecretJson } from '../../harness/answers.ts';
import { eventually } from '../../harness/eventually.ts';
import type { ServiceProcess } from '../../harness/service-process.ts';
import type { Stack } from '../../harness/stack.ts';
import { openNamespaceFixture, type NamespaceFixture } from './namespace-fixture.ts';

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

type Send = (headers: { 'x-request-id': string }) => Promise<ApiAnswer>;

/** The audit lines of one request, once its `request` line is there: that one is written last. */
async function linesOf(send: Send, service: ServiceProcess): Promise<readonly Line[]> {
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

type AuditLine = Line & { readonly action: string; readonly outcome: string };

/** Expects exactly one line, with exactly these fields beyond the ones that every line has. */
async function expectLine(
  send: Send,
  line: AuditLine,
  { namespace, service }: { readonly namespace: string; readonly service: ServiceProcess },
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
function expectLinesAsDocumented(service: ServiceProcess): void {
  const document = readFileSync(new URL('../../../docs/audit.md', import.meta.url), 'utf8');
  const documented = new Set([...document.matchAll(/^- `(\w+)` \(/gm)].map(([, field]) => field));
  const lines = service.logLines().filter((line) => line['component'] === 'audit');
  expect(lines.length).toBeGreaterThan(10);
  expect(lines.map((line) => line['sequence'])).toEqual(lines.map((_, index) => index + 1));
  expect(new Set(lines.map((line) => line['process'])).size).toBe(1);
  for (const line of lines) expect(Object.keys(line).filter((field) => !documented.has(field))).toEqual([]);
  expect(service.output()).not.toContain(PLANTED);
}

interface AuditFixture {
  readonly here: NamespaceFixture;
  readonly create: (more?: object) => Promise<SecretJson>;
  readonly uidOf: (name: string) => Promise<string | undefined>;
  readonly linesOf: (send: Send) => Promise<readonly Line[]>;
  readonly expectLine: (send: Send, line: AuditLine, service?: ServiceProcess) => Promise<void>;
  readonly expectLinesAsDocumented: () => void;
}

export function openAuditFixture(open?: () => Promise<Stack>): AuditFixture {
  const here = openNamespaceFixture('file', open);
  return {
    here,
    create: (more = {}) => here.secrets.create(here.freshName(), { data: { a: PLANTED }, ...more }),
    uidOf: async (name) => (await here.stack.kube.getSecret(here.namespace, name))?.metadata.uid,
    linesOf: (send) => linesOf(send, here.stack.service),
    expectLine: (send, line, service = here.stack.service) =>
      expectLine(send, line, { namespace: here.namespace, service }),
    expectLinesAsDocumented: () => {
      expectLinesAsDocumented(here.stack.service);
    },
  };
}
