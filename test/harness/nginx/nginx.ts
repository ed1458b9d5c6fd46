import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestCertificate } from '../../fakes/certificate.ts';
import { startTogether, type OnClose } from '../closing.ts';
import { debianProgram } from '../debian-program.ts';
import { freePort } from '../free-port.ts';
import { startServer } from '../server-process.ts';

/** nginx from Debian, as a process of this user, without any other configuration than its sites'. */
export interface Nginx {
  /** Whether its log has this text; the log itself quotes addresses, and in them the codes of logins. */
  hasLogged(text: string): boolean;
  close(): Promise<void>;
}

export interface NginxOptions {
  /**
   * By the port of 127.0.0.1 at which they are: the lines of their `server` block, which are their locations, and what
   * differs from nginx's own defaults.
   */
  readonly sites: ReadonlyMap<number, readonly string[]>;
  /** With it, sites speak TLS: HTTP/1.1 and HTTP/2, as the client chooses. */
  readonly certificate?: TestCertificate;
}

export function startNginx(options: NginxOptions): Promise<Nginx> {
  return startTogether((onClose) => start(options, onClose));
}

async function start({ sites, certificate }: NginxOptions, onClose: OnClose): Promise<Omit<Nginx, 'close'>> {
  const program = debianProgram('nginx');
  const folder = mkdtempSync(join(tmpdir(), 'nginx-'));
  onClose(() => {
    rmSync(folder, { recursive: true });
  });
  const statusPort = await freePort();
  const tls = certificate === undefined ? [] : writeCertificate(folder, certificate);
  const listen = (port: number) =>
    `listen 127.0.0.1:${port}${certificate === undefined ? '' : ' ssl http2'};`;
  const servers = [...sites].map(([port, lines]) => block('server', [listen(port), ...tls, ...lines]));
  const status = block('server', [`listen 127.0.0.1:${statusPort};`, 'return 204;']);
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, configuration(folder, [...servers, status]), { mode: 0o600 });
  const url = `http://127.0.0.1:${statusPort}/`;
  const server = await startServer(program, ['-p', folder, '-c', file, '-e', 'stderr'], url);
  onClose(() => server.stop());
  return { hasLogged: (text) => server.output().includes(text) };
}

const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** One process in the foreground, with every file that it writes in the folder. */
function configuration(folder: string, servers: readonly string[]): string {
  for (const name of TEMPORARY) mkdirSync(join(folder, name));
  const paths = TEMPORARY.map((name) => `${name}_temp_path ${join(folder, name)};`);
  return [
    'daemon off;',
    'master_process off;',
    `pid ${join(folder, 'nginx.pid')};`,
    'error_log stderr error;',
    block('events', ['worker_connections 256;']),
    block('http', ['access_log off;', ...paths, ...servers]),
    '',
  ].join('\n');
}

function writeCertificate(folder: string, { key, cert }: TestCertificate): readonly string[] {
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  writeFileSync(keyFile, key, { mode: 0o600 });
  writeFileSync(certFile, cert);
  return [`ssl_certificate ${certFile};`, `ssl_certificate_key ${keyFile};`];
}

function block(name: string, lines: readonly string[]): string {
  return [`${name} {`, ...lines, '}'].join('\n');
}

/** A `location` that hands everything below a path to a port of this machine, as an ingress would. */
export function proxied(path: string, port: number, lines: readonly string[] = []): string {
  return block(`location ${path}`, [
    `proxy_pass http://127.0.0.1:${port};`,
    'proxy_set_header Host $http_host;',
    'proxy_set_header X-Forwarded-For $remote_addr;',
    'proxy_set_header X-Forwarded-Proto $scheme;',
    'proxy_set_header X-Forwarded-Host $http_host;',
    ...lines,
  ]);
}
