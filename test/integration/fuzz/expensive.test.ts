import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { annotation } from '../../harness/annotation.ts';
import { ADMIN, GUEST, sessionCookie } from '../../harness/api-client.ts';
import type { Usage } from '../../harness/process-meter/messages.ts';
import { machineSlowness } from '../../harness/machine-slowness.ts';
import { nativeSecret } from '../../harness/secret-paths.ts';
import { startStack, type Stack } from '../../harness/stack.ts';
import {
  anyLife,
  live,
  type KubeChange,
  type Life,
  type LifeAnswer,
  type LifeRequest,
} from './expensive/life.ts';
import { choicesFrom } from './random.ts';
import { MOST_TURN_MS, objectionsToMemory, objectionToTurn } from './usage-judge.ts';

// FUZZ_LIVES=250 for the long run; FUZZ_SEED repeats a run.
const LIVES = Number(process.env['FUZZ_LIVES'] ?? '10');
const SEED = Number(process.env['FUZZ_SEED'] ?? randomInt(2 ** 31));
/** The manifest's own. */
const NODE_OPTIONS = '--max-semi-space-size=8 --max-old-space-size=768';
/** What is not answered by then is objected to, and the last. */
const ANSWER_MS = 20_000;
/** Garbage is collected at any time; an expensive value costs the same each time. */
const ATTEMPTS = 3;
const MAX_OBJECTIONS = 5;
const RETRY_MS = 250;
/** What is alive at the end was alive early in the run. */
const MAX_GROWTH_BYTES = 12 * 1024 ** 2;
/** The share of a run after which its caches are filled. */
const WARM_SHARE = 0.5;
/** Of the requests of {@link live}, those that some life has done, whatever the seed. */
const ALWAYS_ANSWERED = [
  ...['GET', 'GET of versions', 'GET of a version', 'list', 'page', 'page of a query', 'search'],
  ...['PUT of values', 'PUT of a description', 'POST of a restore', 'DELETE', 'removal'],
];

let stack: Stack;
let pool: Pool;
let cookies: readonly string[];

beforeAll(async () => {
  stack = await startStack({ metered: true, env: { NODE_OPTIONS, LOG_LEVEL: 'info' } });
  pool = new Pool(stack.service.url, { headersTimeout: ANSWER_MS, bodyTimeout: ANSWER_MS });
  cookies = await Promise.all([ADMIN, GUEST].map((user) => sessionCookie(user)));
});
afterAll(async () => {
  await pool.destroy();
  // One that hangs in a turn takes no other signal.
  stack.service.signal('SIGKILL');
  await stack.close();
});

interface Run {
  readonly namespace: string;
  readonly objections: string[];
  readonly statuses: Map<string, number>;
  /** Left for the whole run. */
  retries: number;
}

it(
  `${LIVES} lives of Secrets with expensive values: no request and no background step takes ${MOST_TURN_MS} ms, and the heap returns`,
  { timeout: 120_000 + LIVES * 12_000 },
  async () => {
    console.info(`fuzz: FUZZ_SEED=${SEED} FUZZ_LIVES=${LIVES}`);
    const run: Run = {
      namespace: await stack.namespace(),
      objections: [],
      statuses: new Map(),
      retries: LIVES,
    };
    await addBystanders();
    const choices = choicesFrom(SEED);
    const { meter } = stack.service;
    const liveFor = async (count: number): Promise<void> => {
      for (let lived = 0; lived < count; lived++) await hold(run, anyLife(choices));
    };
    const warm = Math.ceil(LIVES * WARM_SHARE);
    await liveFor(warm);
    const early = await meter.readSettled();
    await liveFor(LIVES - warm);
    const end = await meter.readSettled();
    run.objections.push(...objectionsToMemory(early, end, MAX_GROWTH_BYTES));
    console.info(`fuzz: answers ${JSON.stringify(Object.fromEntries(run.statuses))}`);
    console.info(`fuzz: heap ${mebibytes(early)} MiB early, ${mebibytes(end)} MiB at the end`);
    expect(run.objections).toEqual([]);
    // The Secrets lived, and were not refused.
    for (const what of ALWAYS_ANSWERED) expect([...run.statuses.keys()]).toContain(`${what} 200`);
  },
);

/** Secrets that are not the ones that live, and are looked at whenever someone searches. */
async function addBystanders(): Promise<void> {
  const user = (index: number) =>
    Array.from({ length: 200 }, (_, at) => `${'İ'.repeat(200)}${at}-${index}`).join();
  const namespaces = [await stack.namespace(), await stack.namespace()];
  for (let index = 0; index < 40; index++) {
    const texts = [
      { description: `${'ä'.repeat(120_000)} end`, 'allowed-groups': '' },
      { 'allowed-users': user(index) },
    ];
    for (const [place, text] of texts.entries()) {
      const annotations = Object.fromEntries(
        Object.entries(text).map(([key, value]) => [annotation(key), value]),
      );
      const secret = nativeSecret(`bystander-${index}`, { a: 'b' }, { metadata: { annotations } });
      await stack.kube.createSecret(namespaces[place] ?? '', secret);
    }
  }
}

let names = 0;

/** Lives a life, again while it takes too long a turn, and objects to what is slow each time. */
async function hold(run: Run, life: Life): Promise<void> {
  if (run.objections.length >= MAX_OBJECTIONS) return;
  let slow: Map<string, string> | undefined;
  for (let attempt = 0; attempt < ATTEMPTS && slow?.size !== 0; attempt++) {
    const before = slow;
    slow = await slowTurnsOf(run, life);
    for (const what of slow.keys()) if (before?.has(what) === false) slow.delete(what);
  }
  for (const [what, objection] of slow ?? []) {
    run.objections.push(`${what}: ${objection}: ${describe(life)}`);
  }
}

async function slowTurnsOf(run: Run, life: Life): Promise<Map<string, string>> {
  const slow = new Map<string, string>();
  const look = async (what: string): Promise<void> => {
    const objection = objectionToTurn(await stack.service.meter.read(), machineSlowness);
    if (objection !== undefined) slow.set(what, objection);
  };
  const measured = async <Result>(what: string, work: Promise<Result>): Promise<Result> => {
    const result = await work.catch((cause: unknown) => {
      throw new Error(`${what}: no answer: ${describe(life)}`, { cause });
    });
    await look(what);
    return result;
  };
  await look('before');
  await live(life, `expensive-${names++}`, {
    namespace: run.namespace,
    send: (what, request) => measured(what, send(run, what, request)),
    kubectl: (what, change) => measured(what, kubectl(run, change)),
  });
  return slow;
}

async function send(run: Run, what: string, request: LifeRequest): Promise<LifeAnswer> {
  const { method = 'GET', path, body, asGuest } = request;
  const {
    statusCode,
    headers,
    body: answer,
  } = await pool.request({
    method,
    path,
    headers: {
      cookie: cookies[asGuest === true ? 1 : 0] ?? '',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await answer.text();
  // The cache of a busy machine may be behind: then a client repeats the request.
  if (statusCode === 503 && headers['retry-after'] !== undefined && method === 'GET' && run.retries-- > 0) {
    await sleep(RETRY_MS);
    return send(run, what, request);
  }
  run.statuses.set(`${what} ${statusCode}`, (run.statuses.get(`${what} ${statusCode}`) ?? 0) + 1);
  if (statusCode >= 500) run.objections.push(`${what} is answered ${statusCode}: ${text.slice(0, 200)}`);
  return { status: statusCode, text };
}

async function kubectl({ namespace }: Run, change: KubeChange): Promise<boolean> {
  if ('remove' in change) await stack.kube.deleteSecret(namespace, change.remove);
  else {
    const { create, secret, annotations } = change;
    const { type, data } = secret;
    const object = nativeSecret(create, data, { type, metadata: { annotations } });
    return stack.kube.createSecret(namespace, object).then(
      () => true,
      () => false,
    );
  }
  return true;
}

const describe = ({ secret, queries }: Life): string =>
  `${secret.what}; ${JSON.stringify(queries).slice(0, 1_000)}`;
const mebibytes = ({ heldBytes }: Usage): string => (heldBytes / 1024 ** 2).toFixed(1);
