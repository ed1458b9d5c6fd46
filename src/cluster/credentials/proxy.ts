import { BlockList, isIP } from 'node:net';
import { isLoopback } from '../../config/addresses.ts';

/** The environment variables that name proxies; as with kubectl, those in capitals come first. */
export type ProxyEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy of the environment for a server, as Go's clients choose it: HTTPS_PROXY or HTTP_PROXY by the server's scheme,
 * none for this machine and for what NO_PROXY names.
 */
export function proxyFromEnvironment(server: URL, environment: ProxyEnvironment): string | undefined {
  const read = (name: string): string => {
    const inCapitals = environment[name] ?? '';
    return inCapitals === '' ? (environment[name.toLowerCase()] ?? '') : inCapitals;
  };
  const proxy = read(server.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY').trim();
  if (proxy === '' || isLoopback(server) || isExcluded(server, read('NO_PROXY'))) return undefined;
  return proxy.includes('://') ? proxy : `http://${proxy}`;
}

/** Without the brackets of an IPv6 address. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').toLowerCase();
}

function isExcluded(server: URL, noProxy: string): boolean {
  const port = server.port === '' ? (server.protocol === 'https:' ? '443' : '80') : server.port;
  return noProxy
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => entry !== '')
    .some((entry) => entry === '*' || matches(entry, hostOf(server), port));
}

/** An entry is an address, a range of addresses, or a name that stands for its subdomains too; all but a range with a port. */
function matches(entry: string, host: string, port: string): boolean {
  const range = /^([0-9a-f.:]+)\/([0-9]{1,3})$/.exec(entry);
  if (range !== null) return isWithin(host, range[1] ?? '', Number(range[2]));
  const [, bracketed, plain, wantedPort] = /^(?:\[([0-9a-f.:]+)\]|([^:]*))(?::([0-9]+))?$/.exec(entry) ?? [];
  const name = isIP(entry) > 0 ? entry : (bracketed ?? plain ?? '');
  if (wantedPort !== undefined && isIP(entry) === 0 && wantedPort !== port) return false;
  if (name.startsWith('*.')) return host.endsWith(name.slice(1));
  if (name.startsWith('.')) return host.endsWith(name);
  return name !== '' && (host === name || (isIP(host) === 0 && host.endsWith(`.${name}`)));
}

function isWithin(host: string, address: string, prefix: number): boolean {
  const [ofHost, ofRange] = [isIP(host), isIP(address)];
  if (ofHost === 0 || ofHost !== ofRange || prefix > (ofHost === 4 ? 32 : 128)) return false;
  const family = ofHost === 4 ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(address, prefix, family);
  return list.check(host, family);
}
