import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, fetch as undiciFetch } from 'undici';
import { makeCertificate } from '../../fakes/certificate.ts';
import { startTogether, type OnClose } from '../../harness/closing.ts';
import { parseEnvFile } from '../../harness/env-file.ts';
import { freePort } from '../../harness/free-port.ts';
import { createBrowser, overFetch, type Browser } from '../../harness/glewlwyd/browser.ts';
import { startGlewlwyd, type Glewlwyd } from '../../harness/glewlwyd/glewlwyd.ts';
import { overHttp2 } from '../../harness/glewlwyd/http2-transport.ts';
import { makeSigningKey } from '../../harness/glewlwyd/signing-keys.ts';
import { proxied, startNginx, type Nginx } from '../../harness/nginx/nginx.ts';
import type { ServiceProcess } from '../../harness/service-process.ts';
import { startStack } from '../../harness/stack.ts';
import { documentedSite } from './documented-nginx.ts';

export type Protocol = 'HTTP/1.1' | 'HTTP/2';

/** A service in production, and the address that browsers reach it by. */
export interface Front {
  readonly url: string;
  readonly service: ServiceProcess;
}

/** Glewlwyd and services behind one nginx with TLS, each a process of its own. */
export interface BehindNginx {
  readonly glewlwyd: Glewlwyd;
  readonly nginx: Nginx;
  /** nginx with its defaults. */
  readonly plain: Front;
  /** nginx with its defaults, and a service that writes large sessions compactly. */
  readonly compact: Front;
  /** nginx as docs/sign-in.md has it. */
  readonly documented: Front;
  browser(protocol: Protocol): Browser;
  close(): Promise<void>;
}

/** What docs/providers/glewlwyd.md has operators set. */
const [, SETTINGS = ''] =
  /^```env\n([^`]*)^```$/m.exec(
    readFileSync(new URL('../../../docs/providers/glewlwyd.md', import.meta.url), 'utf8'),
  ) ?? [];
const CLIENT_SECRET = 'a-secret_with~all.of=them/';

interface Provider {
  readonly glewlwyd: Glewlwyd;
  /** What its certificate is trusted by. */
  readonly caFile: string;
}

export function startBehindNginx(): Promise<BehindNginx> {
  return startTogether(startAll);
}

async function startAll(onClose: OnClose): Promise<Omit<BehindNginx, 'close'>> {
  const folder = mkdtempSync(join(tmpdir(), 'behind-nginx-'));
  onClose(() => {
    rmSync(folder, { recursive: true });
  });
  const certificate = makeCertificate('localhost');
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, certificate.cert);
  const [providerPort, ...ports] = [await freePort(), await freePort(), await freePort(), await freePort()];
  const glewlwyd = await startGlewlwyd({ publicUrl: `https://localhost:${providerPort}` });
  onClose(() => glewlwyd.close());
  await glewlwyd.provide({ name: 'oidc', keys: [makeSigningKey('ES256')] });
  const provider = { glewlwyd, caFile };

  const [plainPort, compactPort, documentedPort] = ports;
  const stack = await startStack({ env: await environmentOf(provider, plainPort) });
  onClose(() => stack.close());
  const compact = await stack.anotherService({
    env: { ...(await environmentOf(provider, compactPort)), SERVICE_COMPACT_SESSIONS: 'true' },
  });
  const documented = await stack.anotherService({ env: await environmentOf(provider, documentedPort) });
  const nginx = await startNginx({
    certificate,
    sites: new Map([
      [providerPort, [proxied('/', glewlwyd.port)]],
      [plainPort, [proxied('/', portOf(stack.service))]],
      [compactPort, [proxied('/', portOf(compact))]],
      [documentedPort, documentedSite(portOf(documented))],
    ]),
  });
  onClose(() => nginx.close());
  return {
    glewlwyd,
    nginx,
    plain: front(plainPort, stack.service),
    compact: front(compactPort, compact),
    documented: front(documentedPort, documented),
    browser: browsersTrusting(certificate.cert, onClose),
  };
}

/** The environment of a service at this port, after its client was registered with the provider. */
async function environmentOf({ glewlwyd, caFile }: Provider, port: number): Promise<Record<string, string>> {
  const url = `https://localhost:${port}`;
  const id = `client-${port}`;
  await glewlwyd.addClient({
    id,
    redirectUri: `${url}/api/auth/callback`,
    secret: CLIENT_SECRET,
    authMethod: 'client_secret_post',
  });
  return {
    ...Object.fromEntries(parseEnvFile(SETTINGS)),
    NODE_ENV: 'production',
    NODE_EXTRA_CA_CERTS: caFile,
    NEXT_PUBLIC_APP_URL: url,
    TRUST_PROXY: 'loopback',
    OIDC_ISSUER: glewlwyd.issuer('oidc'),
    OIDC_CLIENT_ID: id,
    OIDC_CLIENT_SECRET: CLIENT_SECRET,
  };
}

function browsersTrusting(ca: string, onClose: OnClose): BehindNginx['browser'] {
  const agent = new Agent({ connect: { ca }, allowH2: false });
  onClose(() => agent.close());
  const trusting = ((url: URL, init: object) =>
    undiciFetch(url, { ...init, dispatcher: agent })) as unknown as typeof globalThis.fetch;
  const http2 = overHttp2(ca);
  onClose(() => http2.close());
  return (protocol) => createBrowser(protocol === 'HTTP/2' ? http2.send : overFetch(trusting));
}

function front(port: number, service: ServiceProcess): Front {
  return { url: `https://localhost:${port}`, service };
}

function portOf({ url }: ServiceProcess): number {
  return Number(new URL(url).port);
}
