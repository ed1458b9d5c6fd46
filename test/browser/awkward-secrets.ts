import { secretOf } from '../harness/answers.ts';
import { ADMIN } from '../harness/api-client.ts';
import type { InProcessStack } from '../harness/in-process-stack.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** As long as a name may be, without a place to break it. */
export const LONG_NAME = `a${'0123456789'.repeat(25)}zz`;

/** Secrets as large, long and odd as the cluster allows them to be. */
export async function createAwkwardSecrets(stack: InProcessStack, namespace: string): Promise<void> {
  const manyKeys = Array.from({ length: 12 }, (_, index): [string, string] => [
    `KEY_${index}`,
    base64(`value ${index}`),
  ]);
  await stack.kube.createSecret(namespace, {
    metadata: {
      name: LONG_NAME,
      annotations: {
        'service.io/description': `A description ${'that goes on and on '.repeat(20)}`,
        'service.io/allowed-groups': `team-a,${'group'.repeat(30)}`,
        'service.io/last-modified-by': `${'someone'.repeat(8)}@example.com`,
        'service.io/last-modified-at': '2026-01-02T03:04:05Z',
      },
    },
    type: `example.com/${'type'.repeat(40)}`,
    data: Object.fromEntries([
      ...manyKeys,
      ['__proto__', base64('a key like any other')],
      ['constructor', base64('x')],
      ['k'.repeat(253), base64('x')],
    ]),
  });
  await stack.kube.createSecret(namespace, {
    metadata: { name: 'large' },
    data: { 'one.txt': base64('0123456789abcdef'.repeat(64 * 1024 - 64)) },
  });
  await createLines(stack, namespace);
  await stack.kube.createSecret(namespace, {
    metadata: { name: 'sh.helm.release.v1.orders.v3' },
    type: 'helm.sh/release.v1',
    data: { release: base64('H4sIAAAAAAAA/') },
  });
}

/** A value of several lines, one of which has changed. */
async function createLines(stack: InProcessStack, namespace: string): Promise<void> {
  const admin = await stack.client(ADMIN);
  const path = `/api/namespaces/${namespace}/secrets`;
  const text = (line: string) => ({ 'config.yaml': `a: 1\n${line}\n${'long '.repeat(60)}\n` });
  const made = await admin.post(path, { name: 'lines', data: text('b: 2') });
  const { resourceVersion } = secretOf(made, 201);
  secretOf(await admin.put(`${path}/lines`, { resourceVersion, data: text('b: 3') }));
}
