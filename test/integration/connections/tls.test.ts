import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectTcp } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createCertificateSource, type CertificateSource } from '../../../src/server/server-certificate.ts';
import { CONNECTION_TIMES } from '../../../src/server/connection-bounds.ts';
import { listen, type Listener } from '../../../src/server/listen.ts';
import { createLogger } from '../../../src/observability/logger.ts';
import type { Bound } from '../../../src/observability/metric-table.ts';
import type { Metrics } from '../../../src/observability/metrics.ts';
import { makeCertificate, type TestCertificate } from '../../fakes/certificate.ts';
import { eventually } from '../../harness/eventually.ts';

const GET = 'GET / HTTP/1.1\r\nHost: test\r\n\r\n';

let folder: string;
let listener: Listener | undefined;
let source: CertificateSource | undefined;
let lines: Record<string, unknown>[];
let reloads: string[];
let notAfter: number | undefined;
let refused: Bound[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'service-test-'));
  [lines, reloads, refused, notAfter] = [[], [], [], undefined];
});
afterEach(async () => {
  source?.stop();
  await listener?.stop();
  rmSync(folder, { recursive: true });
});

const files = () => ({ certFile: join(folder, 'tls.crt'), keyFile: join(folder, 'tls.key') });
function write(cert: string, key: string): void {
  writeFileSync(files().certFile, cert);
  writeFileSync(files().keyFile, key);
}

async function serve(
  certificate: TestCertificate,
  { header = CONNECTION_TIMES.header, limit = 50 }: Partial<ServeOptions> = {},
): Promise<number> {
  write(certificate.cert, certificate.key);
  const logger = createLogger('info', {
    write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>),
  });
  const metrics: Pick<Metrics, 'add' | 'set'> = {
    set: (_name, ...[value]) => {
      notAfter = Number(value) * 1_000;
    },
    add: (_name, count, ...[labels]) => {
      if (count > 0) reloads.push(Object.values(labels ?? {}).join());
    },
  };
  source = createCertificateSource({ files: files(), intervalMs: 20, metrics, logger });
  await source.start();
  listener = await listen(answersOk, {
    host: '127.0.0.1',
    port: 0,
    maxConnections: limit,
    times: { ...CONNECTION_TIMES, header, check: 20 },
    onRefused: (bound) => void refused.push(bound),
    certificate: source,
    logger,
  });
  return listener.port;
}

interface ServeOptions {
  readonly header: number;
  readonly limit: number;
}

const answersOk: RequestListener = (request, response) => {
  response.end('encrypted' in request.socket ? 'over TLS' : 'in the clear');
};

async function secured(
  port: number,
  ca: TestCertificate,
  options: ConnectionOptions = {},
): Promise<TLSSocket> {
  const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', ca: ca.cert, ...options });
  onTestFinished(() => void socket.destroy());
  await once(socket, 'secureConnect');
  return socket;
}

/** The body of one response on a connection of its own; rejects when the certificate is not of this authority. */
async function bodyOf(port: number, ca: TestCertificate): Promise<string> {
  const socket = await secured(port, ca);
  return answerOn(socket);
}

async function answerOn(socket: TLSSocket): Promise<string> {
  socket.write(GET);
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  return chunk.toString('latin1').split('\r\n\r\n')[1] ?? '';
}

/** What the failed handshake says. */
async function refusalOf(port: number, options: ConnectionOptions): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', ...options });
  const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
  return error.code ?? '';
}

const one = makeCertificate('one');
const two = makeCertificate('two');

describe('a port with a certificate', () => {
  it('serves HTTPS with it, by TLS 1.2 or 1.3 and nothing older', async () => {
    const port = await serve(one);
    expect(await bodyOf(port, one)).toBe('over TLS');
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const socket = await secured(port, one, { minVersion: version, maxVersion: version });
      expect([socket.getProtocol(), await answerOn(socket)]).toEqual([version, 'over TLS']);
    }
    const old = {
      ca: one.cert,
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'ALL@SECLEVEL=0',
    } as const;
    expect(await refusalOf(port, old)).toMatch(/ALERT_PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/);
    expect(await refusalOf(port, { ca: two.cert })).toMatch(/CERT|SIGNED/);
    expect(notAfter).toBeGreaterThan(Date.now());
  });

  it('takes no renegotiation', async () => {
    const port = await serve(one);
    const socket = await secured(port, one, { maxVersion: 'TLSv1.2' });
    const error = await new Promise((resolve) => {
      socket.once('error', resolve);
      socket.once('close', resolve);
      socket.renegotiate({}, resolve);
    });
    expect(error).not.toBeNull();
  });

  it('closes what is no handshake, and neither answers nor logs it', async () => {
    const port = await serve(one);
    const plain = connectTcp(port, '127.0.0.1');
    let received = '';
    plain.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
    plain.on('error', () => undefined);
    plain.write(GET);
    await once(plain, 'close');
    expect(received).not.toContain('HTTP/1.1');
    expect(lines).toEqual([]);
    expect(await bodyOf(port, one)).toBe('over TLS');
  });

  it('closes a connection that does not end its handshake in the time of a header', async () => {
    const port = await serve(one, { header: 100 });
    const silent = connectTcp(port, '127.0.0.1');
    silent.on('error', () => undefined);
    silent.resume();
    await once(silent, 'close');
    await eventually(() => {
      expect(listener?.connections()).toEqual({ idle: 0, busy: 0 });
    });
    expect(lines).toEqual([]);
  });

  it('does not wait for connections that were never used when it stops', async () => {
    const port = await serve(one);
    const silent = connectTcp(port, '127.0.0.1');
    const shaken = await secured(port, one);
    for (const socket of [silent, shaken]) socket.on('error', () => undefined).resume();
    await eventually(() => {
      expect(listener?.connections()).toEqual({ idle: 2, busy: 0 });
    });
    const begun = performance.now();
    await listener?.stop();
    expect(performance.now() - begun).toBeLessThan(8_000);
  });

  it('counts connections from the first byte, and closes new ones at the limit', async () => {
    const port = await serve(one, { limit: 2 });
    const kept = await secured(port, one);
    expect(await answerOn(kept)).toBe('over TLS');
    const silent = connectTcp(port, '127.0.0.1');
    silent.on('error', () => undefined);
    silent.resume();
    await eventually(() => {
      expect(listener?.connections()).toEqual({ idle: 2, busy: 0 });
    });
    const refusedOne = connectTcp(port, '127.0.0.1');
    refusedOne.on('error', () => undefined);
    refusedOne.resume();
    await once(refusedOne, 'close');
    expect(refused).toEqual(['connections']);
    expect(await answerOn(kept)).toBe('over TLS');
    silent.destroy();
    await eventually(() => {
      expect(listener?.connections()).toEqual({ idle: 1, busy: 0 });
    });
    expect(await bodyOf(port, one)).toBe('over TLS');
  });

  it('answers a malformed request as without TLS', async () => {
    const port = await serve(one);
    const malformed = await secured(port, one);
    malformed.write('nonsense\r\n\r\n');
    const [chunk] = (await once(malformed, 'data')) as [Buffer];
    expect(chunk.toString('latin1')).toMatch(/^HTTP\/1\.1 400 /);
    expect(lines).toMatchObject([{ event: 'request', status: 400, reason: 'protocolError' }]);
  });
});

describe('a renewed certificate', () => {
  it('that has expired, or is not valid yet, is used, and the log says so once', async () => {
    const expired = makeCertificate('expired', { validFrom: -200, validTo: -100 });
    const port = await serve(expired);
    expect(lines).toMatchObject([
      { level: 'warn', event: 'certificate is not valid now', problem: 'expired' },
    ]);
    expect(await refusalOf(port, { ca: expired.cert })).toBe('CERT_HAS_EXPIRED');
    const early = makeCertificate('early', { validFrom: 40_000 });
    write(early.cert, early.key);
    await eventually(() => {
      expect(reloads).toContain('loaded');
    });
    await eventually(() => {
      expect(lines.at(-1)).toMatchObject({ event: 'certificate is not valid now', problem: 'notYetValid' });
    });
    expect(notAfter).toBeGreaterThan(0);
  });

  it('is used for new connections without a restart, and those under way continue', async () => {
    const port = await serve(one);
    const before = await secured(port, one);
    expect(await answerOn(before)).toBe('over TLS');
    write(two.cert, two.key);
    await eventually(async () => {
      expect(await bodyOf(port, two)).toBe('over TLS');
    });
    expect(await refusalOf(port, { ca: one.cert })).toMatch(/CERT|SIGNED/);
    expect(await answerOn(before)).toBe('over TLS');
    expect(reloads.at(-1)).toBe('loaded');
    expect(lines.at(-1)).toMatchObject({ level: 'info', event: 'read the renewed certificate' });
  });

  it.each([
    ['whose key is still the previous one', two.cert, one.key, 'pairMismatch'],
    ['that is cut short', two.cert.slice(0, 100), two.key, 'certificateMalformed'],
    ['whose key is empty', two.cert, '', 'keyMalformed'],
  ])(
    '%s leaves the previous one in use, is logged once and counted, until both fit',
    async (_how, cert, key, problem) => {
      const port = await serve(one);
      write(cert, key);
      await eventually(() => {
        expect(reloads.filter((outcome) => outcome === 'failed').length).toBeGreaterThan(2);
      });
      expect(await bodyOf(port, one)).toBe('over TLS');
      // Between the two writes of this test, another problem may be found.
      const warned = lines.filter(({ level }) => level === 'warn').map((line) => line['problem']);
      expect(warned.filter((found) => found === problem)).toHaveLength(1);
      write(two.cert, two.key);
      await eventually(async () => {
        expect(await bodyOf(port, two)).toBe('over TLS');
      });
      expect(JSON.stringify(lines)).not.toMatch(/BEGIN|PRIVATE/);
    },
  );

  it('that is gone leaves the previous one in use', async () => {
    const port = await serve(one);
    rmSync(files().certFile);
    await eventually(() => {
      expect(reloads).toContain('failed');
    });
    expect(await bodyOf(port, one)).toBe('over TLS');
    expect(lines).toMatchObject([{ event: 'certificate cannot be renewed', problem: 'unreadable' }]);
  });
});
