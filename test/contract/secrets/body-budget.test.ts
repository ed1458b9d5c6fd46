import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, clientFor, DEVELOPER_A, sessionCookie } from '../../harness/api-client.ts';
import { secretOf } from '../../harness/answers.ts';
import { secretsPath } from '../../harness/secret-paths.ts';
import { startStack, type Stack } from '../../harness/stack.ts';
import { eventually } from '../../harness/eventually.ts';

const MIB = 1_048_576;
let stack: Stack;
let namespace: string;
const open: Socket[] = [];

beforeAll(async () => {
  stack = await startStack();
  namespace = await stack.namespace();
});
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy();
  await eventually(async () => {
    expect(await metric('service_request_body_bytes'), 'nothing is held after it').toBe(0);
  });
});
afterAll(() => stack.close());

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${stack.service.opsUrl}/metrics`)).text();
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')[1],
  );
}

interface Upload {
  readonly socket: Socket;
  /** What came back so far. */
  readonly answer: () => string;
}

/** Begins a creation whose body never ends, and sends so many bytes of it. */
async function beginUpload(cookie: string, bytes: number): Promise<Upload> {
  const { hostname, port } = new URL(stack.service.url);
  const socket = connect(Number(port), hostname);
  open.push(socket);
  let answer = '';
  socket.on('data', (piece) => {
    answer += piece.toString('latin1');
  });
  // A refused client is cut off a while after its answer.
  socket.on('error', () => undefined);
  socket.write(
    [
      `POST ${secretsPath(namespace)} HTTP/1.1`,
      'Host: localhost',
      `Cookie: ${cookie}`,
      'Content-Type: application/json',
      `Content-Length: ${16 * MIB}`,
      '',
      '',
    ].join('\r\n'),
  );
  const piece = Buffer.alloc(MIB, ' ');
  for (let sent = 0; sent < bytes; sent += MIB) {
    if (answer !== '' || socket.destroyed) break;
    // Not all of it is taken when the body is refused, or not read yet.
    const written = new Promise((resolve) =>
      socket.write(piece.subarray(0, Math.min(MIB, bytes - sent)), resolve),
    );
    await Promise.race([written, sleep(2_000)]);
  }
  return { socket, answer: () => answer };
}

/** Sessions of as many people: how much one person may have under way is bounded, too. */
const people = (count: number) =>
  Promise.all(
    Array.from({ length: count }, (_, index) =>
      sessionCookie({ ...DEVELOPER_A, sub: `person-${index}`, email: `person-${index}@example.com` }),
    ),
  );

/** Sessions of one person. */
const sessionsOf = (count: number) =>
  Promise.all(
    Array.from({ length: count }, (_, at) => sessionCookie({ ...DEVELOPER_A, name: `Session ${at}` })),
  );

const answersOf = (uploads: readonly Upload[]) =>
  uploads.map(({ answer }) => answer()).filter((answer) => answer !== '');

describe('bodies that never end', () => {
  it('40 of one person hold 16 MiB at most, in whatever sessions, and another person is served', async () => {
    const cookies = await sessionsOf(4);
    await Promise.all(Array.from({ length: 40 }, (_, at) => beginUpload(cookies[at % 4] ?? '', MIB / 2)));
    expect(await metric('service_request_body_bytes')).toBeLessThanOrEqual(16 * MIB);
    const other = await clientFor(stack.service.url, ADMIN);
    secretOf(await other.post(secretsPath(namespace), { name: 'served' }), 201);
  });

  it('of one person that go beyond 16 MiB are answered 503, in whatever sessions, and another person is served', async () => {
    const before = await metric('service_bounds_refused_total{bound="body_bytes_person"}');
    const cookies = await sessionsOf(7);
    const uploads = await Promise.all(cookies.map((cookie) => beginUpload(cookie, 4 * MIB)));
    await eventually(() => {
      expect(answersOf(uploads).length).toBeGreaterThanOrEqual(3);
    });
    for (const answer of answersOf(uploads)) {
      expect(answer).toMatch(
        /^HTTP\/1\.1 503 [^]*\r\nRetry-After: 5\r\n[^]*\{"error":"Too many of your request bodies/,
      );
    }
    expect(await metric('service_request_body_bytes')).toBeLessThanOrEqual(16 * MIB);
    const refused = await metric('service_bounds_refused_total{bound="body_bytes_person"}');
    expect(refused - before).toBe(answersOf(uploads).length);
    const other = await clientFor(stack.service.url, ADMIN);
    secretOf(await other.post(secretsPath(namespace), { name: 'served-too' }), 201);
  });

  it('of 20 people hold 64 MiB at most; once they are gone, others are served', async () => {
    const cookies = await people(20);
    const uploads = await Promise.all(cookies.map((cookie) => beginUpload(cookie, 4 * MIB)));
    await eventually(() => {
      expect(answersOf(uploads).length).toBeGreaterThanOrEqual(4);
    });
    expect(await metric('service_request_body_bytes')).toBeLessThanOrEqual(64 * MIB);
    for (const answer of answersOf(uploads)) {
      expect(answer).toMatch(
        /^HTTP\/1\.1 503 [^]*\r\nRetry-After: 5\r\n[^]*\{"error":"Too many request bodies are/,
      );
    }
    for (const { socket } of uploads) socket.destroy();
    await eventually(async () => {
      expect(await metric('service_request_body_bytes')).toBe(0);
    });
    secretOf(await stack.developerA.post(secretsPath(namespace), { name: 'afterwards' }), 201);
  });

  it('count as they arrive: what is only announced holds nothing', async () => {
    const cookies = await people(40);
    await Promise.all(cookies.map((cookie) => beginUpload(cookie, 0)));
    await sleep(200);
    expect(await metric('service_request_body_bytes')).toBe(0);
    secretOf(await stack.developerA.post(secretsPath(namespace), { name: 'beside' }), 201);
  });

  it('are given up once their client is gone, long before the time of their request ends', async () => {
    const upload = await beginUpload(await sessionCookie(DEVELOPER_A), 8 * MIB);
    await eventually(async () => {
      expect(await metric('service_request_body_bytes')).toBe(8 * MIB);
    });
    upload.socket.destroy();
    await eventually(async () => {
      expect(await metric('service_request_body_bytes')).toBe(0);
    });
  });
});

describe('bodies that arrive too slowly', () => {
  it('end when others need their bytes: no one is kept out for longer than two seconds', async () => {
    const cookies = await people(4);
    const uploads = await Promise.all(cookies.map((cookie) => beginUpload(cookie, 16 * MIB - 1)));
    await eventually(async () => {
      expect(await metric('service_request_body_bytes')).toBe(64 * MIB - 4);
    });
    const full = performance.now();
    await eventually(async () => {
      const answer = await stack.developerA.post(secretsPath(namespace), { name: 'in-between' });
      secretOf(answer, 201);
    });
    expect(performance.now() - full).toBeLessThan(4_000);
    await eventually(() => {
      expect(answersOf(uploads)).toHaveLength(1);
    });
    expect(answersOf(uploads)[0]).toMatch(
      /^HTTP\/1\.1 503 [^]*\r\nRetry-After: 5\r\n[^]*\{"error":"The request body arrived too slowly/,
    );
  });
});

describe('one person', () => {
  it('has 72 bodies under way at most, however small; what is more is 429', async () => {
    const cookies = await sessionsOf(80);
    const uploads = await Promise.all(cookies.map((cookie) => beginUpload(cookie, 0)));
    await eventually(() => {
      expect(answersOf(uploads)).toHaveLength(8);
    });
    for (const answer of answersOf(uploads)) expect(answer).toMatch(/^HTTP\/1\.1 429 /);
    secretOf(await stack.admin.post(secretsPath(namespace), { name: 'of-another' }), 201);
  });

  it('may have one body of 16 MiB handled, again and again', async () => {
    for (let count = 0; count < 5; count++) {
      const json = `{"name":"whole-${count}"}`;
      const answer = await stack.admin.send('POST', secretsPath(namespace), {
        body: json.padEnd(16 * MIB),
        headers: { 'content-type': 'application/json' },
      });
      secretOf(answer, 201);
    }
  });
});
