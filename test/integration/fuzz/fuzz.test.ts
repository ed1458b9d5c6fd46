import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ADMIN, DEVELOPER_A, GUEST, sessionCookie } from '../../harness/api-client.ts';
import type { SecretJson } from '../../harness/answers.ts';
import { startStack, type Stack } from '../../harness/stack.ts';
import { PLANTED, type KnownSecret } from './bodies.ts';
import { objectionTo, type FuzzAnswer } from './judge.ts';
import { choicesFrom } from './random.ts';
import { oddConnection } from './odd-connections.ts';
import { anyRequest, type FuzzRequest } from './requests.ts';
import { objectionsToMemory, objectionToCost, objectionToTurn } from './usage-judge.ts';

// FUZZ_REQUESTS=50000 for the long run; FUZZ_SEED repeats a run.
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? '5000');
const SEED = Number(process.env['FUZZ_SEED'] ?? randomInt(2 ** 31));
const IN_FLIGHT = 24;
const MOST_OBJECTIONS = 5;
/** As often as the turns of the event loop are looked at, and as a fiftieth of the requests an odd connection. */
const LOOK_MS = 250;
const ODD_SHARE = 50;
/** The share of a run after which its caches are filled. */
const WARM_SHARE = 0.3;
/** The manifest's own. */
const HEAP_LIMIT = '--max-old-space-size=768';

let stack: Stack;
let pool: Pool;

beforeAll(async () => {
  stack = await startStack({
    metered: true,
    env: { SERVICE_RESTART_ENABLED: 'true', NODE_OPTIONS: HEAP_LIMIT },
  });
  pool = new Pool(stack.service.url, { connections: IN_FLIGHT });
});
afterAll(async () => {
  await pool.destroy();
  await stack.close();
});

async function send({ method, path, headers, body }: FuzzRequest): Promise<FuzzAnswer> {
  const answer = await pool.request({
    // Any token is a method on the wire.
    method: method,
    path,
    headers,
    body: body ?? null,
  });
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
}

/** Revisions in good answers make later requests get further than to a 409. */
function learn(known: KnownSecret[], { status, text }: FuzzAnswer): void {
  if ((status !== 200 && status !== 201) || !text.startsWith('{"secret":')) return;
  const { secret } = JSON.parse(text) as { secret: SecretJson };
  known.push({ name: secret.name, resourceVersion: secret.resourceVersion });
  if (known.length > 100) known.shift();
}

it(
  `${REQUESTS} generated requests: no 500, no crash, no leak, every answer no-store and shaped as promised`,
  { timeout: 60_000 + REQUESTS * 10 },
  async () => {
    console.info(`fuzz: FUZZ_SEED=${SEED} FUZZ_REQUESTS=${REQUESTS}`);
    const [open, ruled] = [await stack.namespace(), await stack.namespace()];
    await stack.kube.setPolicy(ruled, { allowedGroups: '["team-a"]' });
    const known: KnownSecret[] = [];
    const around = {
      namespaces: [open, open, ruled],
      cookies: await Promise.all([ADMIN, ADMIN, DEVELOPER_A, GUEST].map((user) => sessionCookie(user))),
      known,
    };
    const choices = choicesFrom(SEED);
    const objections: string[] = [];
    const statuses = new Map<number, number>();
    let sent = 0;
    const { meter } = stack.service;
    const inFlight = new Set<FuzzRequest>();
    const suspects = new Set<FuzzRequest>();
    await meter.read();
    const run = { isOver: false };
    const looking = (async () => {
      while (!run.isOver) {
        const during = [...inFlight];
        await sleep(LOOK_MS);
        const suspicious = objectionToTurn(await meter.read()) !== undefined;
        if (suspicious) for (const request of [...during, ...inFlight]) suspects.add(request);
      }
    })();

    const work = async (limit: number): Promise<void> => {
      while (sent < limit && objections.length < MOST_OBJECTIONS) {
        sent++;
        if (sent % ODD_SHARE === 0) {
          const path = `/api/namespaces/${open}/secrets`;
          await oddConnection(stack.service.url, choices, path, choices.pick(around.cookies));
        }
        const request = anyRequest(choices, around);
        inFlight.add(request);
        const answer = await send(request);
        inFlight.delete(request);
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        const objection = objectionTo(request, answer);
        if (objection !== undefined)
          objections.push(`${objection}: ${describe(request)} -> ${answer.text.slice(0, 500)}`);
        if (request.method !== 'HEAD') learn(known, answer);
      }
    };
    const runTo = (limit: number) => Promise.all(Array.from({ length: IN_FLIGHT }, () => work(limit)));
    await runTo(REQUESTS * WARM_SHARE);
    const early = await meter.readSettled();
    await runTo(REQUESTS);
    run.isOver = true;
    await looking;
    objections.push(...objectionsToMemory(early, await meter.readSettled()));
    // What shared a long turn is sent again, each alone: a collection of garbage strikes once, a dear request always.
    for (const request of [...suspects].slice(-MOST_SUSPECTS)) {
      const objection = await objectionAlone(request);
      if (objection !== undefined) objections.push(`${objection}: ${describe(request)}`);
    }

    expect(objections).toEqual([]);
    expect((await fetch(`${stack.service.opsUrl}/readyz`)).status).toBe(200);
    const metrics = await (await fetch(`${stack.service.opsUrl}/metrics`)).text();
    for (const seen of [metrics, stack.service.output()]) expect(seen).not.toContain(PLANTED);
    expect(stack.service.output()).not.toContain('unexpected error');
    // The requests got everywhere, so that the silence above means something.
    for (const status of [200, 201, 302, 400, 401, 403, 404, 405, 409, 413, 415, 422]) {
      expect([...statuses.keys()]).toContain(status);
    }
  },
);

const MOST_SUSPECTS = 200;
const ATTEMPTS = 3;

/** What a request costs when nothing else is there, at best of some attempts. */
async function objectionAlone(request: FuzzRequest): Promise<string | undefined> {
  let objection: string | undefined;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    await stack.service.meter.read();
    await send(request);
    const usage = await stack.service.meter.read();
    objection = objectionToTurn(usage) ?? objectionToCost(usage);
    if (objection === undefined) return undefined;
  }
  return objection;
}

function describe({ method, path, headers, body }: FuzzRequest): string {
  return JSON.stringify({
    method,
    path,
    headers: { ...headers, cookie: '…' },
    body: body?.toString('utf8').slice(0, 2_000),
  });
}
