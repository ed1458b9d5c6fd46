import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDeadline } from '../../../src/timing/deadline.ts';
import { outcomeLabel } from '../../../src/app/cluster-calls.ts';
import { ADMIN } from '../../harness/api-client.ts';
import { startInProcessStack, type InProcessStack } from '../../harness/in-process-stack.ts';
import { openGateway, READ, WRITE } from './gateway-fixture.ts';
import type { Play } from './scripted-server.ts';

// What an attempt counts as: alerts go by it, so what failed must not count as a success.

const body =
  (status: number, text: string, type = 'application/json'): Play =>
  (response) =>
    void response.writeHead(status, { 'content-type': type }).end(text);
const status = (code: number, reason: string, details: object = {}): Play =>
  body(code, JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, details }));
const html = (code: number): Play => body(code, '<html>Please sign in</html>', 'text/html');
const brokenOff: Play = (response) => {
  response.writeHead(200, { 'content-length': '1000' }).write('{"kind":');
  setTimeout(() => response.destroy(), 5);
};
const tooLong: Play = (response) =>
  void response.writeHead(200, { 'content-length': String(100 * 1_024 * 1_024) }).write('{');

const outcomesOf = async (play: Play, request = READ): Promise<readonly string[]> => {
  const { gateway, records } = await openGateway([play]);
  await gateway.request(request, startDeadline(5_000)).catch(() => undefined); // the records show it
  return [...new Set(records.map(outcomeLabel))];
};

describe('an attempt at the cluster counts as', () => {
  it.each([
    ['a good answer', '200', body(200, '{}')],
    ['an absence', '404', status(404, 'NotFound', { name: 'a', kind: 'secrets' })],
    ['a missing right', '403', status(403, 'Forbidden', { name: 'a', kind: 'secrets' })],
    ['overload', '429', status(429, 'TooManyRequests')],
    ['a failure of the cluster', '500', status(500, 'InternalError')],
    ['refused credentials', '401', status(401, 'Unauthorized')],
    ['a proxy without the cluster', '502', html(502)],
    ['an answer that breaks off after its head', 'unavailable', brokenOff],
    ['an answer that is too long', 'responseTooLarge', tooLong],
    ['a success that is no JSON', 'unavailable', html(200)],
    ['a proxy that says there is nothing', 'unavailable', html(404)],
    ['a proxy that refuses', 'unavailable', html(403)],
    ['a proxy that sends elsewhere', 'unavailable', html(302)],
    ['an API without Secrets', 'unavailable', status(404, 'NotFound')],
  ])('%s: %s', async (_name, outcome, play) => {
    expect(await outcomesOf(play)).toEqual([outcome]);
  });

  it.each([
    ['breaks off', brokenOff],
    ['is too long', tooLong],
    ['is no JSON', html(200)],
  ])('uncertain, when it was a write and its answer %s', async (_name, play) => {
    expect(await outcomesOf(play, WRITE)).toEqual(['uncertain']);
  });
});

describe('the metrics of the service', () => {
  let stack: InProcessStack;
  beforeAll(async () => {
    stack = await startInProcessStack({ reconciles: false });
  });
  afterAll(() => stack.close());

  it('count a Secret whose answer is cut midway as a failure of the cluster, and its log line says so', async () => {
    const namespace = await stack.namespace();
    await stack.kube.createSecret(namespace, { metadata: { name: 'a' } });
    const cut = { match: { namespace, verb: 'get', resource: 'secrets' }, times: 100 } as const;
    stack.dev.faults.add({ ...cut, action: { type: 'cut', when: 'midway' } });
    const admin = await stack.client(ADMIN);
    expect((await admin.get(`/api/namespaces/${namespace}/secrets/a`)).status).toBe(503);
    const metrics = await (await fetch(`${stack.opsUrl}/metrics`)).text();
    const counted = metrics.split('\n').filter((line) => line.includes('verb="get",resource="secrets"'));
    const outcomes = counted.map((line) => /outcome="(\w+)"/.exec(line)?.[1]).filter(Boolean);
    expect(outcomes).toEqual(['unavailable']);
    const line = { event: 'cluster request', verb: 'get', status: 200, outcome: 'unavailable' };
    expect(stack.logLines()).toContainEqual(expect.objectContaining(line));
  });
});
