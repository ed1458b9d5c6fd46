import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ADMIN, DEVELOPER_A, GUEST, sessionCookie } from '../../harness/api-client.ts';
import type { SecretJson } from '../../harness/answers.ts';
import { machineSlowness } from '../../harness/machine-slowness.ts';
import { startStack, type Stack } from '../../harness/stack.ts';
import { PLANTED, type KnownSecret } from './bodies.ts';
import { objectionTo, type FuzzAnswer } from './judge.ts';
import { choicesFrom, type Choices } from './random.ts';
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

/** One run of the generated requests, and what it has seen so far. */
interface Run {
  readonly choices: Choices;
  readonly around: Parameters<typeof anyRequest>[1] & { readonly known: KnownSecret[] };
  /** Where odd connections go. */
  readonly oddPath: string;
  readonly objections: string[];
  readonly statuses: Set<number>;
  readonly inFlight: Set<FuzzRequest>;
  /** What shared a long turn of the event loop. */
  readonly suspects: Set<FuzzRequest>;
  sent: number;
  isOver: boolean;
}

it(
  `${REQUESTS} generated requests: no 500, no crash, no leak, every answer no-store and shaped as promised`,
  { timeout: 60_000 + REQUESTS * 40 },
  async () => {
    console.info(`fuzz: FUZZ_SEED=${SEED} FUZZ_REQUESTS=${REQUESTS}`);
    const { meter } = stack.service;
    const run = await arrange();
    await meter.read();
    const looking = lookForLongTurns(run);
    await runTo(run, REQUESTS * WARM_SHARE);
    const early = await meter.readSettled();
    await runTo(run, REQUESTS);
    run.isOver = true;
    await looking;
    run.objections.push(...objectionsToMemory(early, await meter.readSettled()));
    await sendSuspectsAlone(run);

    expect(run.objections).toEqual([]);
    await expectUnharmed();
    // The requests got everywhere, so that the silence above means something.
    for (const status of [200, 201, 302, 400, 401, 403, 404, 405, 409, 413, 415, 422]) {
      expect([...run.statuses]).toContain(status);
    }
  },
);

async function arrange(): Promise<Run> {
  const [open, ruled] = [await stack.namespace(), await stack.namespace()];
  await stack.kube.setPolicy(ruled, { allowedGroups: '["team-a"]' });
  return {
    choices: choicesFrom(SEED),
    around: {
      namespaces: [open, open, ruled],
      cookies: await Promise.all([ADMIN, ADMIN, DEVELOPER_A, GUEST].map((user) => sessionCookie(user))),
      known: [],
    },
    oddPath: `/api/namespaces/${open}/secrets`,
    objections: [],
    statuses: new Set(),
    inFlight: new Set(),
    suspects: new Set(),
    sent: 0,
    isOver: false,
  };
}

async function lookForLongTurns(run: Run): Promise<void> {
  while (!run.isOver) {
    const during = [...run.inFlight];
    await sleep(LOOK_MS);
    const suspicious = objectionToTurn(await stack.service.meter.read()) !== undefined;
    if (suspicious) for (const request of [...during, ...run.inFlight]) run.suspects.add(request);
  }
}

async function runTo(run: Run, limit: number): Promise<void> {
  await Promise.all(Array.from({ length: IN_FLIGHT }, () => work(run, limit)));
}

async function work(run: Run, limit: number): Promise<void> {
  const { choices, around, objections } = run;
  while (run.sent < limit && objections.length < MOST_OBJECTIONS) {
    run.sent++;
    if (run.sent % ODD_SHARE === 0) {
      await oddConnection(stack.service.url, choices, run.oddPath, choices.pick(around.cookies));
    }
    const request = anyRequest(choices, around);
    run.inFlight.add(request);
    const answer = await send(request);
    run.inFlight.delete(request);
    run.statuses.add(answer.status);
    const objection = objectionTo(request, answer);
    if (objection !== undefined)
      objections.push(`${objection}: ${describe(request)} -> ${answer.text.slice(0, 500)}`);
    if (request.method !== 'HEAD') learn(around.known, answer);
  }
}

/** What shared a long turn is sent again, each alone: a collection of garbage strikes once, a dear request always. */
async function sendSuspectsAlone({ suspects, objections }: Run): Promise<void> {
  for (const request of [...suspects].slice(-MOST_SUSPECTS)) {
    const objection = await objectionAlone(request);
    if (objection !== undefined) objections.push(`${objection}: ${describe(request)}`);
  }
}

async function expectUnharmed(): Promise<void> {
  const { opsUrl } = stack.service;
  expect((await fetch(`${opsUrl}/readyz`)).status).toBe(200);
  const metrics = await (await fetch(`${opsUrl}/metrics`)).text();
  for (const seen of [metrics, stack.service.output()]) expect(seen).not.toContain(PLANTED);
  expect(stack.service.output()).not.toContain('unexpected error');
}

const MOST_SUSPECTS = 200;
const ATTEMPTS = 3;

/** What a request costs when nothing else is there, at best of some attempts. */
async function objectionAlone(request: FuzzRequest): Promise<string | undefined> {
  let objection: string | undefined;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    await stack.service.meter.read();
    await send(request);
    const usage = await stack.service.meter.read();
    objection = objectionToTurn(usage, machineSlowness) ?? objectionToCost(usage);
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
