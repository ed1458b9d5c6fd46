import { beforeEach, describe, expect, it } from 'vitest';
import { errorOf, jsonOf } from '../../harness/answers.ts';
import {
  ADMIN,
  clientFor,
  DEVELOPER_A,
  sessionCookie,
  type ApiAnswer,
  type ApiClient,
} from '../../harness/api-client.ts';
import { rawRequest } from '../../harness/raw-request.ts';
import { nativeSecret, secretsPath, snapshotNameOf, stateOf } from '../../harness/secret-paths.ts';
import { secretsOf } from '../../harness/secrets-client.ts';
import { usingEnv, WORKLOAD_KINDS } from '../../harness/workloads.ts';
import { DENYING_POLICY, ENABLED, openConsumersFixture } from './consumers-fixture.ts';
import { eventually } from '../../harness/eventually.ts';

/** The restart of what uses a Secret: docs/api.md, "Restart". */

const RFC_3339_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const RESTARTABLE = WORKLOAD_KINDS.filter((kind) => kind !== 'CronJob');

const here = openConsumersFixture();

describe('POST …/restart', () => {
  beforeEach(() => here.populate());

  it('annotates the pod templates of all consumers when none is named, and of nothing else', async () => {
    const before = Date.now();
    expect(jsonOf(await here.restart(), 200)).toEqual({
      restarted: RESTARTABLE.map((kind) => ({ kind, name: 'uses-it' })),
      failed: [],
    });
    for (const kind of RESTARTABLE) {
      const restartedAt = await here.workloads.restartedAt(kind, 'uses-it');
      expect(restartedAt).toMatch(RFC_3339_UTC);
      expect(Date.parse(restartedAt ?? '')).toBeGreaterThanOrEqual(before - 1_000);
      expect(Date.parse(restartedAt ?? '')).toBeLessThanOrEqual(Date.now() + 1_000);
      expect(await here.workloads.restartedAt(kind, 'uses-another')).toBeUndefined();
    }
  });

  it('changes nothing of a workload but that annotation', async () => {
    const template = { metadata: { annotations: { 'example.com/kept': 'yes' } } };
    await here.workloads.patch('Deployment', 'uses-it', { spec: { replicas: 0, template } });
    const before = await here.workloads.get('Deployment', 'uses-it');
    jsonOf(await here.restart(), 200);
    const after = await here.workloads.get('Deployment', 'uses-it');
    const annotations = {
      'example.com/kept': 'yes',
      'kubectl.kubernetes.io/restartedAt': expect.stringMatching(RFC_3339_UTC) as string,
    };
    expect(after?.spec).toEqual({
      ...before?.spec,
      template: {
        ...before?.spec.template,
        metadata: { ...before?.spec.template?.metadata, annotations },
      },
    });
    expect(after?.metadata.uid).toBe(before?.metadata.uid);
  });

  it('a CronJob needs none: it may be named, is in neither list, and is not touched', async () => {
    const before = await here.workloads.state();
    const named = { consumers: [{ kind: 'CronJob', name: 'uses-it' }] };
    expect(jsonOf(await here.restart(named), 200)).toEqual({ restarted: [], failed: [] });
    expect(await here.workloads.state()).toEqual(before);
  });

  it('restarts the named consumers only, each once', async () => {
    const named = { kind: 'DaemonSet', name: 'uses-it' };
    const before = await here.workloads.get('DaemonSet', 'uses-it');
    expect(jsonOf(await here.restart({ consumers: [named, named, named] }), 200)).toEqual({
      restarted: [named],
      failed: [],
    });
    expect(await here.workloads.restartedAt('Deployment', 'uses-it')).toBeUndefined();
    const generation = (native: unknown) =>
      (native as { metadata: { generation: number } }).metadata.generation;
    expect(generation(await here.workloads.get('DaemonSet', 'uses-it'))).toBe(generation(before) + 1);
  });

  it('an empty list restarts nothing', async () => {
    const before = await here.workloads.state();
    expect(jsonOf(await here.restart({ consumers: [] }), 200)).toEqual({ restarted: [], failed: [] });
    expect(await here.workloads.state()).toEqual(before);
  });

  it.each<[string, { kind: string; name: string }]>([
    ['of another Secret', { kind: 'Deployment', name: 'uses-another' }],
    ['that does not exist', { kind: 'Deployment', name: 'absent' }],
    ['of another namespace', { kind: 'StatefulSet', name: 'elsewhere' }],
    ['CronJob of another Secret', { kind: 'CronJob', name: 'uses-another' }],
  ])('a workload %s among the names answers 422, and nothing is restarted', async (_what, wrong) => {
    const before = await here.workloads.state();
    const good = RESTARTABLE.map((kind) => ({ kind, name: 'uses-it' }));
    expect(errorOf(await here.restart({ consumers: [...good, wrong] }), 422)).toBe(
      'consumers names a workload that does not use this Secret',
    );
    expect(await here.workloads.state()).toEqual(before);
  });

  it('a paused Deployment is reported as paused, and the others are restarted', async () => {
    await here.workloads.patch('Deployment', 'uses-it', { spec: { paused: true } });
    expect(jsonOf(await here.restart(), 200)).toEqual({
      restarted: [
        { kind: 'DaemonSet', name: 'uses-it' },
        { kind: 'StatefulSet', name: 'uses-it' },
      ],
      failed: [{ kind: 'Deployment', name: 'uses-it', reason: 'paused' }],
    });
    expect(await here.workloads.restartedAt('Deployment', 'uses-it')).toBeUndefined();
  });

  it('can be repeated: each sets the annotation again', async () => {
    jsonOf(await here.restart(), 200);
    const first = await here.workloads.restartedAt('Deployment', 'uses-it');
    jsonOf(await here.restart(), 200);
    expect(await here.workloads.restartedAt('Deployment', 'uses-it')).not.toBe(first);
  });

  it('leaves the Secret and its history alone', async () => {
    const before = await stateOf(here.stack.kube, here.namespace);
    jsonOf(await here.restart(), 200);
    expect(await stateOf(here.stack.kube, here.namespace)).toEqual(before);
  });
});

describe('the body of POST …/restart', () => {
  const all = () => ({ restarted: [{ kind: 'Deployment', name: 'web' }], failed: [] });
  beforeEach(async () => {
    await here.workloads.create('Deployment', 'web', usingEnv('db'));
  });

  it('may be left out, with or without a Content-Type: all consumers', async () => {
    expect(jsonOf(await here.stack.developerA.send('POST', here.pathTo('restart')), 200)).toEqual(all());
    const headers = { 'content-type': 'text/plain' };
    expect(
      jsonOf(await here.stack.developerA.send('POST', here.pathTo('restart'), { headers }), 200),
    ).toEqual(all());
    const raw = await rawRequest(here.stack.service.url, {
      method: 'POST',
      path: here.pathTo('restart'),
      headers: { cookie: await sessionCookie(DEVELOPER_A) },
    });
    expect([raw.status, JSON.parse(raw.text)]).toEqual([200, all()]);
  });

  it.each<[string, number, string, string]>([
    ['of another type', 415, 'text/plain', '{}'],
    ['that is no JSON', 400, 'application/json', '{'],
    ['that is a list', 400, 'application/json', '[]'],
    ['that is null', 400, 'application/json', 'null'],
    ['that is larger than 16 MiB', 413, 'application/json', ' '.repeat(16 * 1_048_576 + 1)],
  ])('%s answers %i', async (_what, status, type, body) => {
    const before = await here.workloads.state();
    const headers = { 'content-type': type };
    errorOf(await here.stack.developerA.send('POST', here.pathTo('restart'), { body, headers }), status);
    expect(await here.workloads.state()).toEqual(before);
  });

  it.each<[object, string]>([
    [{ consumers: 'web' }, 'consumers must be an array of objects of kind and name'],
    [{ consumers: [{ kind: 'ReplicaSet', name: 'web' }] }, 'consumers[0].kind must be one of'],
    [{ consumers: [{ kind: 'Deployment', name: 'Not A Name' }] }, 'consumers[0].name must'],
    [{ consumers: [{ kind: 'Deployment' }] }, 'consumers[0].name is required'],
    [
      { consumers: [{ kind: 'Deployment', name: 'web', namespace: 'x' }] },
      'Unknown field consumers[0].namespace',
    ],
    [{ names: ['web'] }, 'Unknown field names'],
  ])('%j answers 400 with the field and the rule', async (body, rule) => {
    const before = await here.workloads.state();
    expect(errorOf(await here.restart(body), 400)).toContain(rule);
    expect(await here.workloads.state()).toEqual(before);
  });
});

describe('the order of checks', () => {
  it('of POST …/restart is session, path, visibility, access, body, fields, then the names', async () => {
    await here.workloads.create('Deployment', 'web', usingEnv('late'));
    const path = here.pathTo('restart', 'late');
    const before = await here.workloads.state();
    const wrong = { consumers: [{ kind: 'Pod', name: 'web' }] };
    await here.stack.kube.setPolicy(here.namespace, { allowedGroups: 'broken' });
    errorOf(await here.stack.anonymous.post(path, wrong), 401);
    errorOf(await here.stack.developerA.post(secretsPath('Bad_Name', 'late', 'restart'), wrong), 400);
    errorOf(await here.stack.developerA.post(here.pathTo('restart', 'Bad_Name'), wrong), 400);
    const text = { body: '{', headers: { 'content-type': 'text/plain' } };
    errorOf(await here.stack.developerA.send('POST', path, text), 404);
    await here.stack.kube.createSecret(here.namespace, nativeSecret('late'));
    errorOf(await here.stack.developerA.post(path, wrong), 503);
    await here.stack.kube.setPolicy(here.namespace, DENYING_POLICY);
    errorOf(await here.stack.developerA.send('POST', path, text), 403);
    await here.stack.kube.removePolicy(here.namespace);
    errorOf(await here.stack.developerA.send('POST', path, text), 415);
    errorOf(await here.stack.developerA.post(path, wrong), 400);
    const stranger = { consumers: [{ kind: 'Deployment', name: 'stranger' }] };
    errorOf(await here.stack.developerA.post(path, stranger), 422);
    expect(await here.workloads.state()).toEqual(before);
    jsonOf(await here.stack.developerA.post(path, {}), 200);
  });

  it.each(['consumers', 'restart'] as const)('…/%s of a hidden Secret answers 404', async (below) => {
    const send = (client: ApiClient, name: string): Promise<ApiAnswer> =>
      client.send(below === 'restart' ? 'POST' : 'GET', here.pathTo(below, name));
    errorOf(await send(here.stack.admin, 'absent'), 404);
    const { url } = await here.stack.anotherService({ env: { ...ENABLED, SERVICE_MANAGED_ONLY: 'true' } });
    errorOf(await send(await clientFor(url, ADMIN), 'db'), 404);
    await secretsOf(here.stack.admin, here.namespace).createWithHistory('archived', 1);
    const uid = (await here.stack.kube.getSecret(here.namespace, 'archived'))?.metadata.uid ?? '';
    const snapshot = snapshotNameOf('archived', 1, uid);
    expect(await here.stack.kube.getSecret(here.namespace, snapshot)).toBeDefined();
    errorOf(await send(here.stack.admin, snapshot), 404);
  });

  it('…/consumers is denied by the rules of the Secret', async () => {
    await here.stack.kube.setPolicy(here.namespace, DENYING_POLICY);
    errorOf(await here.stack.developerA.get(here.pathTo('consumers')), 403);
    jsonOf(await here.stack.admin.get(here.pathTo('consumers')), 200);
  });
});

describe('the audit log', () => {
  async function lineOf(
    status: number,
    send: (request: { headers: Record<string, string> }) => Promise<ApiAnswer>,
  ): Promise<readonly Record<string, unknown>[]> {
    const answer = await send({ headers: {} });
    expect(answer.status, answer.text).toBe(status);
    const requestId = answer.headers.get('x-request-id');
    return eventually(() => {
      const lines = here.stack.service.logLines().filter((line) => line['requestId'] === requestId);
      expect(lines.map((line) => line['event'])).toContain('request');
      return lines.filter((line) => line['component'] === 'audit');
    });
  }

  it('has one line per restart, with what was restarted and how many were not', async () => {
    await here.populate();
    await here.workloads.patch('Deployment', 'uses-it', { spec: { paused: true } });
    const uid = (await here.stack.kube.getSecret(here.namespace, 'db'))?.metadata.uid;
    expect(
      await lineOf(200, (request) => here.stack.developerA.post(here.pathTo('restart'), {}, request)),
    ).toEqual([
      expect.objectContaining({
        action: 'secret.restart',
        outcome: 'succeeded',
        actor: 'developer-a@example.com',
        namespace: here.namespace,
        name: 'db',
        uid,
        restarted: 2,
        failed: 1,
        workloads: 'DaemonSet/uses-it,StatefulSet/uses-it',
      }),
    ]);
  });

  it('has one line for a restart that is refused, and none for a look at the consumers', async () => {
    const consumers = [{ kind: 'Deployment', name: 'absent' }];
    const refused = await lineOf(422, (request) =>
      here.stack.developerA.post(here.pathTo('restart'), { consumers }, request),
    );
    expect(refused).toMatchObject([
      { action: 'secret.restart', outcome: 'failed', code: 'invalidSecret', reason: 'noConsumer' },
    ]);
    const look = (request: object) => here.stack.developerA.get(here.pathTo('consumers'), request);
    expect(await lineOf(200, look)).toEqual([]);
    await here.stack.kube.setPolicy(here.namespace, DENYING_POLICY);
    expect(await lineOf(403, look)).toMatchObject([{ action: 'secret.consumers', outcome: 'denied' }]);
  });
});
