import { writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { rewriteAnswers, type AnswerRewriter } from '../../harness/answer-rewriter.ts';
import { clientFor, DEVELOPER_A, type ApiClient } from '../../harness/api-client.ts';
import { errorOf, listOf } from '../../harness/answers.ts';
import { ON_DEV_CLUSTER } from '../../harness/dev-only.ts';
import { nativeSecret, secretsPath } from '../../harness/secret-paths.ts';
import { startStack, type Stack } from '../../harness/stack.ts';
import { annotation } from '../../harness/annotation.ts';

const MIB = 1_048_576;
const OVER_BUDGET = /^The list of Secrets is over budget \(5,000 objects, 32 MiB or 100 pages\)$/;
const INCONSISTENT = /^The list of Secrets was inconsistent; try again$/;
const FAILED = /^The list of Secrets could not be collected$/;

interface NativeList {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items: readonly { readonly metadata: { readonly name: string }; readonly data?: object }[];
}

/** Failed, inconsistent or over-budget collection is an error, never a truncated list. */
describe.runIf(ON_DEV_CLUSTER)('the collection of a list, on a cluster that misbehaves on request', () => {
  let stack: Stack;
  let namespace: string;
  let rewriter: AnswerRewriter;
  /** The service behind the rewriter. */
  let misled: ApiClient;

  beforeAll(async () => {
    // Live lists are what this is about.
    const env = { SERVICE_LIST_CACHE: 'false' };
    stack = await startStack({ env });
    namespace = await stack.namespace();
    rewriter = await rewriteAnswers(stack.dev.url);
    const kubeconfigFile = `${stack.kubeconfigFile}-rewriter`;
    writeFileSync(kubeconfigFile, stack.dev.kubeconfig().replaceAll(stack.dev.url, rewriter.url), {
      mode: 0o600,
    });
    const { url } = await stack.anotherService({ kubeconfigFile, env });
    misled = await clientFor(url, DEVELOPER_A);
    for (const name of ['a', 'b', 'c'])
      await stack.kube.createSecret(namespace, nativeSecret(name, { key: name }));
  });
  afterAll(async () => {
    await stack.close();
    await rewriter.close();
  });
  afterEach(() => {
    rewriter.rewrite = undefined;
    stack.dev.faults.clear();
  });

  const listMisled = () => misled.get(secretsPath(namespace));
  const namesMisled = async () => listOf(await listMisled()).secrets.map(({ name }) => name);

  /** Serves these pages, one after the other, under continue tokens of our own. */
  function servePages(
    cut: (whole: NativeList) => readonly (Partial<NativeList> & Pick<NativeList, 'items'>)[],
  ): void {
    // The pages are requested one after the other, and the cluster's revision moves on by itself (Leases).
    let resourceVersion: string | undefined;
    rewriter.rewrite = ({ url, body }) => {
      const whole = JSON.parse(body) as NativeList;
      resourceVersion ??= whole.metadata.resourceVersion;
      const pages = cut(whole);
      const index = Number(url.searchParams.get('continue')?.replace('page-', '') ?? 0);
      const more = index + 1 < pages.length ? { continue: `page-${index + 1}` } : {};
      const page = pages[index];
      return JSON.stringify({
        ...whole,
        ...page,
        metadata: { ...whole.metadata, resourceVersion, ...more, ...page?.metadata },
      });
    };
  }

  it('pages are followed to the last', async () => {
    servePages(({ items }) => items.map((item) => ({ items: [item] })));
    expect(await namesMisled()).toEqual(['a', 'b', 'c']);
  });

  it('an identical duplicate appears once', async () => {
    servePages(({ items }) => [{ items: items.slice(0, 2) }, { items: items.slice(1) }, { items }]);
    expect(await namesMisled()).toEqual(['a', 'b', 'c']);
  });

  it('a duplicate in another state is an inconsistency', async () => {
    servePages(({ items }) => [
      { items },
      { items: items.slice(0, 1).map((item) => ({ ...item, data: {} })) },
    ]);
    expect(errorOf(await listMisled(), 503)).toMatch(INCONSISTENT);
  });

  it('pages of different revisions are an inconsistency', async () => {
    servePages(({ items }) => [{ items }, { items: [], metadata: { resourceVersion: '999999' } }]);
    expect(errorOf(await listMisled(), 503)).toMatch(INCONSISTENT);
  });

  it('a list that does not advance is an inconsistency', async () => {
    servePages(({ items, metadata }) => [
      { items },
      { items: [], metadata: { ...metadata, continue: 'page-1' } },
    ]);
    expect(errorOf(await listMisled(), 503)).toMatch(INCONSISTENT);
  });

  it('100 pages are followed, a 101st is over budget', async () => {
    servePages(({ items }) =>
      Array.from({ length: 100 }, (_, index) => ({ items: index === 99 ? items : [] })),
    );
    expect(await namesMisled()).toEqual(['a', 'b', 'c']);
    servePages(({ items }) =>
      Array.from({ length: 101 }, (_, index) => ({ items: index === 100 ? items : [] })),
    );
    expect(errorOf(await listMisled(), 503)).toMatch(OVER_BUDGET);
  });

  it('32 MiB are read, one byte more is over budget', async () => {
    rewriter.rewrite = ({ body }) => body.padEnd(32 * MIB);
    expect(await namesMisled()).toEqual(['a', 'b', 'c']);
    rewriter.rewrite = ({ body }) => body.padEnd(32 * MIB + 1);
    expect(errorOf(await listMisled(), 503)).toMatch(OVER_BUDGET);
  });

  it('the 32 MiB are those of all pages together', async () => {
    rewriter.rewrite = ({ url, body }) => {
      const whole = JSON.parse(body) as NativeList;
      const metadata = url.searchParams.has('continue') ? {} : { continue: 'page-1' };
      return JSON.stringify({ ...whole, metadata: { ...whole.metadata, ...metadata } }).padEnd(17 * MIB);
    };
    expect(errorOf(await listMisled(), 503)).toMatch(OVER_BUDGET);
  });

  it.each<[string, string]>([
    ['no JSON', '<html>'],
    ['another kind', '{"kind":"PodList","metadata":{"resourceVersion":"1"},"items":[]}'],
    ['no items', '{"kind":"SecretList","metadata":{"resourceVersion":"1"}}'],
    ['no revision', '{"kind":"SecretList","metadata":{},"items":[]}'],
    ['an item of another namespace', listWith({ namespace: 'other' }, {})],
    ['an item without a UID', listWith({ uid: '' }, {})],
    ['a value that is no base64', listWith({}, { a: 'a secret?' })],
  ])('a page that makes no sense, %s, fails the list', async (_what, body) => {
    rewriter.rewrite = () => body.replaceAll('NAMESPACE', namespace);
    const error = errorOf(await listMisled(), 503);
    expect(error).toMatch(FAILED);
  });

  it('exactly 5,000 objects are served, 5,001 are over budget; snapshots do not count', async () => {
    const crowded = await stack.namespace();
    const queue = Array.from({ length: 4_999 }, (_, index) => `s-${index}`).values();
    const work = async () => {
      for (const name of queue) await stack.kube.createSecret(crowded, { metadata: { name } });
    };
    await Promise.all(Array.from({ length: 32 }, work));
    const last = await stack.admin.post(secretsPath(crowded), { name: 'last' });
    const { secret } = last.json as { secret: { resourceVersion: string } };
    await stack.admin.put(secretsPath(crowded, 'last'), { resourceVersion: secret.resourceVersion });
    expect(await stack.kube.listSecrets(crowded, annotation('kind=history'))).toHaveLength(1);
    expect(listOf(await stack.developerA.get(secretsPath(crowded))).secrets).toHaveLength(5_000);
    await stack.kube.createSecret(crowded, { metadata: { name: 'one-more' } });
    expect(errorOf(await stack.developerA.get(secretsPath(crowded)), 503)).toMatch(OVER_BUDGET);
    await expiredTokens(crowded);
  }, 60_000);

  /** Here, because it needs many pages: a continue token that expires starts the list over, once. */
  async function expiredTokens(crowded: string): Promise<void> {
    await stack.kube.deleteSecret(crowded, 'one-more');
    const match = { verb: 'list', resource: 'secrets', namespace: crowded, path: 'continue=' };
    stack.dev.faults.add({ match, skip: 3, times: 1, action: { type: 'expireContinue' } });
    expect(listOf(await stack.developerA.get(secretsPath(crowded))).secrets).toHaveLength(5_000);
    stack.dev.faults.clear();
    stack.dev.faults.add({ match, skip: 1, action: { type: 'expireContinue' } });
    expect(errorOf(await stack.developerA.get(secretsPath(crowded)), 503)).toMatch(FAILED);
    stack.dev.faults.clear();
    stack.dev.faults.add({ match, skip: 4, action: { type: 'cut', when: 'midway' } });
    expect(errorOf(await stack.developerA.get(secretsPath(crowded)), 503)).toMatch(FAILED);
  }

  it('a cluster that fails is named as such, with its Retry-After and none of its text', async () => {
    const match = { verb: 'list', resource: 'secrets', namespace };
    const action = {
      type: 'status',
      status: 429,
      retryAfter: 17,
      message: 'planted text of the cluster',
    } as const;
    stack.dev.faults.add({ match, action });
    const answer = await stack.developerA.get(secretsPath(namespace));
    expect(errorOf(answer, 503)).toMatch(FAILED);
    expect(answer.headers.get('retry-after')).toBe('17');
  });

  it('a failure that passes is not seen by the client', async () => {
    const match = { verb: 'list', resource: 'secrets', namespace };
    stack.dev.faults.add({ match, times: 2, action: { type: 'status', status: 500 } });
    expect(listOf(await stack.developerA.get(secretsPath(namespace))).secrets).toHaveLength(3);
  });
});

function listWith(metadata: object, data: object): string {
  const item = {
    metadata: {
      name: 'a',
      namespace: 'NAMESPACE',
      uid: 'u',
      resourceVersion: '1',
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...metadata,
    },
    type: 'Opaque',
    data,
  };
  return JSON.stringify({
    kind: 'SecretList',
    apiVersion: 'v1',
    metadata: { resourceVersion: '1' },
    items: [item],
  });
}
