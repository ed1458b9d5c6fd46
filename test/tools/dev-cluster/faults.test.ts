import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { textAt, type Json } from '../../../hack/dev-cluster/json/json.ts';
import { RuleError, type FaultRule } from '../../../hack/dev-cluster/faults/rule.ts';
import { eventually } from '../../harness/eventually.ts';
import { namesOf, secretBody, SECRETS, useClusters } from './fixture.ts';

const start = useClusters();

describe('a cluster that misbehaves on request', () => {
  it('answers a status with Retry-After, as often as the fault says, and not before its time', async () => {
    const { cluster, client } = await start();
    const action = { type: 'status', status: 429, retryAfter: 7 } as const;
    const fault = cluster.faults.add({
      match: { verb: 'list', resource: 'secrets' },
      skip: 1,
      times: 2,
      action,
    });
    const answers = [];
    for (let turn = 0; turn < 4; turn++) answers.push(await client.get(SECRETS));
    expect(answers.map(({ status }) => status)).toEqual([200, 429, 429, 200]);
    expect(answers[1]?.headers.get('retry-after')).toBe('7');
    expect(textAt(answers[1]?.body, 'reason')).toBe('TooManyRequests');
    expect(fault.hits).toBe(2);
  });

  it('leaves requests alone that a rule does not match', async () => {
    const { cluster, client } = await start();
    const match = { verb: ['get', 'update'], resource: 'secrets', namespace: 'default', name: 'a' } as const;
    cluster.faults.add({ match, action: { type: 'status', status: 503 } });
    await client.post(SECRETS, secretBody('a'));
    await client.post(SECRETS, secretBody('b'));
    expect((await client.get(`${SECRETS}/b`)).status).toBe(200);
    expect((await client.get(SECRETS)).status).toBe(200);
    expect((await client.get(`${SECRETS}/a`)).status).toBe(503);
    expect((await client.put(`${SECRETS}/a`, secretBody('a'))).status).toBe(503);
  });

  it('matches by user and by path', async () => {
    const { cluster, client, robot } = await start();
    const account = await robot('robot');
    const user = 'system:serviceaccount:default:robot';
    cluster.faults.add({ match: { user }, action: { type: 'status', status: 500 } });
    cluster.faults.add({ match: { path: 'limit=3$' }, action: { type: 'status', status: 502 } });
    expect((await account.get('/version')).status).toBe(500);
    expect((await client.get('/version')).status).toBe(200);
    expect((await client.get(`${SECRETS}?limit=3`)).status).toBe(502);
  });

  it('stops when the rule is removed', async () => {
    const { cluster, client } = await start();
    const fault = cluster.faults.add({ action: { type: 'status', status: 500 } });
    expect((await client.get('/version')).status).toBe(500);
    fault.remove();
    expect((await client.get('/version')).status).toBe(200);
  });

  it('answers late with a delay', async () => {
    const { cluster, client } = await start();
    cluster.faults.add({ action: { type: 'delay', ms: 60 } });
    const began = performance.now();
    expect((await client.get('/version')).status).toBe(200);
    expect(performance.now() - began).toBeGreaterThanOrEqual(55);
  });

  const interruptions: readonly (readonly [string, FaultRule['action'], boolean])[] = [
    ['cuts the connection before a write has an effect', { type: 'cut' }, false],
    ['cuts the connection after a write has had its effect', { type: 'cut', when: 'after' }, true],
    ['cuts the connection in the middle of the answer to a write', { type: 'cut', when: 'midway' }, true],
  ];
  it.each(interruptions)('%s', async (_title, action, effect) => {
    const { cluster, client } = await start();
    cluster.faults.add({ match: { verb: 'create' }, times: 1, action });
    await expect(client.post(SECRETS, secretBody('a'))).rejects.toThrow();
    expect((await client.get(`${SECRETS}/a`)).status).toBe(effect ? 200 : 404);
  });

  it('answers an error although the write has had its effect', async () => {
    const { cluster, client } = await start();
    cluster.faults.add({ match: { verb: 'create' }, action: { type: 'status', status: 504, when: 'after' } });
    expect((await client.post(SECRETS, secretBody('a'))).status).toBe(504);
    expect((await client.get(`${SECRETS}/a`)).status).toBe(200);
  });

  it.each([
    ['before', false],
    ['after', true],
  ] as const)('accepts and never answers, %s the effect', async (when, effect) => {
    const { cluster, client } = await start();
    const fault = cluster.faults.add({ match: { verb: 'create' }, action: { type: 'hang', when } });
    const abort = new AbortController();
    const headers = { 'content-type': 'application/json' };
    const hanging = fetch(cluster.url + SECRETS, {
      method: 'POST',
      headers,
      body: JSON.stringify(secretBody('a')),
      signal: abort.signal,
    }).catch((error: unknown) => error);
    await eventually(() => {
      expect(fault.hits).toBe(1);
    });
    await sleep(150);
    abort.abort();
    expect(await hanging).toBeInstanceOf(Error);
    expect((await client.get(`${SECRETS}/a`)).status).toBe(effect ? 200 : 404);
  });

  it('lets continue tokens expire, with a fresh token for the inconsistent rest', async () => {
    const { cluster, client } = await start();
    for (const name of ['a', 'b', 'c']) await client.post(SECRETS, secretBody(name));
    cluster.faults.add({ times: 1, action: { type: 'expireContinue' } });
    const first = await client.get(`${SECRETS}?limit=2`);
    const next = `${SECRETS}?limit=2&continue=${textAt(first.body, 'metadata', 'continue')}`;
    const refused = await client.get(next);
    expect(refused.status).toBe(410);
    expect(textAt(refused.body, 'reason')).toBe('Expired');
    const rest = textAt(refused.body, 'metadata', 'continue');
    expect(namesOf((await client.get(`${SECRETS}?continue=${rest}`)).body)).toEqual(['c']);
    expect(namesOf((await client.get(next)).body)).toEqual(['c']);
  });

  it('answers 410 to a list, and as an ERROR event to a watch', async () => {
    const { cluster, client } = await start();
    cluster.faults.add({ times: 2, action: { type: 'gone' } });
    expect((await client.get(SECRETS)).status).toBe(410);
    const watch = await client.watch(`${SECRETS}?watch=true`);
    expect(watch.status).toBe(200);
    const { events, how } = await watch.end();
    expect(how).toBe('ended');
    expect(events).toMatchObject([
      { type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } },
    ]);
  });
});

describe('the rules over HTTP', () => {
  it('are added, counted, listed and removed', async () => {
    const { client } = await start();
    const rule: Json = { match: { verb: 'get' }, times: 1, action: { type: 'status', status: 503 } };
    const added = await client.post('/_dev/faults', rule);
    expect(added.status).toBe(201);
    await client.get(`${SECRETS}/a`);
    expect((await client.get('/_dev/faults')).body).toEqual([
      { id: textAt(added.body, 'id'), hits: 1, rule },
    ]);
    expect((await client.delete(`/_dev/faults/${textAt(added.body, 'id')}`)).status).toBe(200);
    expect((await client.get('/_dev/faults')).body).toEqual([]);
    await client.post('/_dev/faults', rule);
    await client.delete('/_dev/faults');
    expect((await client.get('/_dev/faults')).body).toEqual([]);
  });

  it.each([
    ['an action that is none', { action: { type: 'explode' } }],
    ['a field that no rule has', { matches: {}, action: { type: 'cut' } }],
    ['a field that the match does not have', { match: { verbs: 'get' }, action: { type: 'cut' } }],
    ['a pattern that does not compile', { match: { path: '(' }, action: { type: 'cut' } }],
    ['a status that is missing', { action: { type: 'status' } }],
    ['no action', {}],
  ])('refuse %s', async (_title, rule) => {
    const { cluster, client } = await start();
    expect((await client.post('/_dev/faults', rule)).status).toBe(400);
    expect(() => cluster.faults.add(rule as unknown as FaultRule)).toThrow(RuleError);
  });

  it('are closed to service accounts and to pages in a browser', async () => {
    const { client, robot } = await start();
    const account = await robot('robot');
    expect((await account.get('/_dev/requests')).status).toBe(401);
    const anonymous = await fetch(`${(await start()).cluster.url}/_dev/requests`, {
      headers: { origin: 'http://evil' },
    });
    expect(anonymous.status).toBe(401);
    expect((await client.get('/_dev/requests')).status).toBe(200);
  });
});

describe('the request log', () => {
  it('counts and orders the requests without their values', async () => {
    const { cluster, client } = await start();
    await client.post(SECRETS, secretBody('a'));
    const since = cluster.requests.last;
    await client.get(`${SECRETS}/a`);
    await client.get(`${SECRETS}?limit=2`);
    const seen = cluster.requests
      .list(since)
      .map(({ verb, name, status, query }) => ({ verb, name, status, query }));
    expect(seen).toEqual([
      { verb: 'get', name: 'a', status: 200, query: '' },
      { verb: 'list', name: '', status: 200, query: 'limit=2' },
    ]);
    expect((await client.get(`/_dev/requests?after=${since}`)).body).toMatchObject([
      { verb: 'get', resource: 'secrets', namespace: 'default', user: 'kubernetes-admin' },
      { verb: 'list' },
    ]);
    expect(JSON.stringify(cluster.requests.list())).not.toContain('dg==');
    await client.delete('/_dev/requests');
    expect(cluster.requests.list()).toEqual([]);
  });

  it('says nothing of a status that was never sent', async () => {
    const { cluster, client } = await start();
    cluster.faults.add({ match: { name: 'a' }, action: { type: 'cut' } });
    await expect(client.get(`${SECRETS}/a`)).rejects.toThrow();
    expect(cluster.requests.list().at(-1)).toMatchObject({ name: 'a', status: null });
  });
});
