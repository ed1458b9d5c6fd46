import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { ADMIN, sessionCookie, type ApiAnswer } from '../../harness/api-client.ts';
import { secretsOf } from '../../harness/secrets-client.ts';
import { startStack, type Stack } from '../../harness/stack.ts';
import { eventually } from '../../harness/eventually.ts';

const ANSWER_DELAY_MS = 800;

let stack: Stack;

/** Each test ends the service, so each has its own. */
async function startedStack(env: Readonly<Record<string, string>> = {}): Promise<void> {
  stack = await startStack({ env });
}
afterEach(() => stack.close());

/** A read that the cluster answers late; resolves once the cluster has received it. */
async function slowRead(): Promise<{ readonly answer: Promise<ApiAnswer> }> {
  const namespace = await stack.namespace();
  const secrets = secretsOf(stack.admin, namespace);
  await secrets.create('a');
  const rule = stack.dev.faults.add({
    match: { namespace, verb: 'get', name: 'a' },
    action: { type: 'delay', ms: ANSWER_DELAY_MS },
  });
  const client = await stack.client(ADMIN);
  const answer = client.get(secrets.path('a'));
  await eventually(() => {
    expect(rule.hits).toBe(1);
  });
  return { answer };
}

async function leaseHolders(): Promise<readonly (string | undefined)[]> {
  const answer = await fetch(`${stack.dev.url}/apis/coordination.k8s.io/v1/leases`);
  const { items } = (await answer.json()) as { items: { spec: { holderIdentity?: string } }[] };
  return items.map(({ spec }) => spec.holderIdentity);
}

async function secondsUntilEnd(): Promise<number> {
  const begun = performance.now();
  await stack.service.ended;
  return (performance.now() - begun) / 1_000;
}

describe.each(['SIGTERM', 'SIGINT'] as const)('%s', (signal) => {
  beforeEach(() => startedStack());

  it('lets the request under way finish, takes no new ones, and ends with 0 within seconds', async () => {
    const { answer } = await slowRead();
    stack.service.signal(signal);
    const ending = secondsUntilEnd();
    await eventually(async () => {
      await expect(fetch(`${stack.service.url}/api/config`)).rejects.toThrow();
    });
    expect((await answer).status).toBe(200);
    expect(await ending).toBeLessThan(5);
    expect(await stack.service.ended).toBe(0);
    expect(stack.service.logLines().map(({ event }) => event)).toEqual(
      expect.arrayContaining(['started', 'stopping', 'stopped']),
    );
    expect(stack.service.logLines()).toContainEqual(expect.objectContaining({ event: 'stopping', signal }));
  });

  it('is not held up by idle connections', async () => {
    const { hostname, port } = new URL(stack.service.url);
    const idle = connect(Number(port), hostname);
    await once(idle, 'connect');
    idle.write('GET /api/config HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(idle, 'data');
    stack.service.signal(signal);
    expect(await secondsUntilEnd()).toBeLessThan(5);
    expect(await stack.service.ended).toBe(0);
    idle.destroy();
  });
});

describe('SIGINT followed by SIGTERM, as Ctrl-C and a supervisor send them', () => {
  beforeEach(() => startedStack());

  it('is one stop: the request under way finishes, and the exit code is 0', async () => {
    const { answer } = await slowRead();
    stack.service.signal('SIGINT');
    stack.service.signal('SIGTERM');
    expect((await answer).status).toBe(200);
    expect(await stack.service.ended).toBe(0);
  });
});

describe('SIGTERM twice, as an impatient supervisor sends it', () => {
  beforeEach(() => startedStack());

  it('is one stop: the request under way finishes, and the exit code is 0', async () => {
    const { answer } = await slowRead();
    stack.service.signal('SIGTERM');
    await eventually(() => {
      expect(stack.service.output()).toContain('"stopping"');
    });
    stack.service.signal('SIGTERM');
    expect((await answer).status).toBe(200);
    expect(await stack.service.ended).toBe(0);
  });
});

describe('the Lease of the replica that keeps the history in order', () => {
  beforeEach(async () => {
    await startedStack();
    await eventually(async () => {
      expect(await leaseHolders()).toEqual([expect.stringMatching(/./)]);
    });
  });

  it('is given up, so that another replica can begin at once', async () => {
    expect(await stack.service.stop()).toBe(0);
    expect(await leaseHolders()).toEqual(['']);
  });

  it('is given up also when a request is stuck: that one is cut, and the exit code is 0 within 25 seconds', async () => {
    const { hostname, port } = new URL(stack.service.url);
    const stuck = connect(Number(port), hostname);
    onTestFinished(() => void stuck.destroy());
    await once(stuck, 'connect');
    stuck.on('error', () => undefined); // to be cut is what it is for
    const cut = once(stuck.resume(), 'close');
    const head = [
      ...['POST /api/namespaces/anywhere/secrets HTTP/1.1', 'Host: localhost'],
      ...['Content-Type: application/json', 'Content-Length: 100'],
      `Cookie: ${await sessionCookie(ADMIN)}`,
    ];
    stuck.write(`${head.join('\r\n')}\r\n\r\n{`);
    await eventually(() => {
      expect(stuck.bytesWritten).toBeGreaterThan(0);
    });
    // What was sent later is answered: so the stuck request has been received.
    expect((await fetch(`${stack.service.url}/api/config`)).status).toBe(200);
    stack.service.signal('SIGTERM');
    expect(await secondsUntilEnd()).toBeLessThan(25);
    expect(await stack.service.ended).toBe(0);
    await cut;
    expect(await leaseHolders()).toEqual(['']);
  });
});

describe('SIGTERM in production', () => {
  beforeEach(() =>
    startedStack({ NODE_ENV: 'production', NEXT_PUBLIC_APP_URL: 'https://secrets.example.com' }),
  );

  it('lets readiness fall first, while requests are still answered, and then ends with 0', async () => {
    stack.service.signal('SIGTERM');
    await eventually(async () => {
      const answer = await fetch(`${stack.service.opsUrl}/readyz`);
      expect(`${answer.status} ${await answer.text()}`).toBe('503 not ready: running (stopping)\n');
    });
    expect((await fetch(`${stack.service.opsUrl}/livez`)).status).toBe(200);
    const answer = await fetch(`${stack.service.url}/api/config`);
    expect(answer.status).toBe(200);
    // So that clients have gone elsewhere by the time when the port closes.
    expect(answer.headers.get('connection')).toBe('close');
    expect(await secondsUntilEnd()).toBeLessThan(10);
    expect(await stack.service.ended).toBe(0);
  });
});
