import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createClient } from '@hey-api/openapi-ts';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonOf } from '../../harness/answers.ts';
import { DEVELOPER_A, sessionCookie } from '../../harness/api-client.ts';
import { openStack, type Stack } from '../../harness/stack.ts';

/** What someone writes against the client: typed by the document alone. */
const USAGE = `
import { createClient } from './client/index.js';
import { createSecret, deleteSecret, getSecret } from './sdk.gen.js';
import type { SecretDetail } from './types.gen.js';

export async function tour(baseUrl: string, cookie: string, namespace: string) {
  const client = createClient({ baseUrl, headers: { cookie } });
  const path = { namespace, name: 'generated' };
  const body = { name: path.name, data: { a: '1' } };
  const created = await createSecret({ client, path: { namespace }, body, throwOnError: true });
  const read = (await getSecret({ client, path, throwOnError: true })).data.secret;
  // With values=false it is a summary.
  if (!('data' in read)) throw new Error('without values');
  const secret: SecretDetail = read;
  const stale = await deleteSecret({ client, path, query: { resourceVersion: '0' } });
  const { resourceVersion } = secret;
  const query = { resourceVersion, keepHistory: 'true' } as const;
  const deleted = await deleteSecret({ client, path, query, throwOnError: true });
  return {
    created: created.data.secret.version,
    value: secret.data['a'],
    error: stale.error?.error,
    deleted: deleted.data.status,
  };
}
`;
const WRONG_USAGE = `
import { createSecret } from './sdk.gen.js';
export const call = () => createSecret({ path: { namespace: 'a' }, body: { title: 'b' } });
`;

let stack: Stack;
let folder: string;

beforeAll(async () => {
  stack = await openStack();
  folder = mkdtempSync(join(tmpdir(), 'generated-client-'));
  const input = jsonOf(await stack.anonymous.get('/api/openapi.json'), 200) as Record<string, unknown>;
  await createClient({
    input,
    output: { path: folder, module: { extension: '.js' } },
    logs: { level: 'silent', file: false },
    plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
  });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await stack.close();
});

/** Compiles a file and all that it imports, next to the sources; returns what the compiler objects to. */
function compile(name: string, source: string): readonly string[] {
  const file = join(folder, name);
  writeFileSync(file, source);
  const program = ts.createProgram([file], {
    strict: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2024,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ['lib.es2024.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
  });
  program.emit();
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

describe('a client that is generated from the served document', () => {
  it('compiles, and works with the service', async () => {
    expect(compile('usage.ts', USAGE)).toEqual([]);
    const { tour } = (await import(pathToFileURL(join(folder, 'usage.js')).href)) as {
      readonly tour: (url: string, cookie: string, namespace: string) => Promise<object>;
    };
    const cookie = await sessionCookie(DEVELOPER_A);
    expect(await tour(stack.service.url, cookie, await stack.namespace())).toEqual({
      created: 1,
      value: '1',
      error: 'This Secret was changed meanwhile; reload it and try again',
      deleted: 'deleted',
    });
  });

  it('does not compile with a body of another shape', () => {
    expect(compile('wrong.ts', WRONG_USAGE).join('\n')).toContain("'title' does not exist");
  });
});
