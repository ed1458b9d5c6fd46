import { isIP } from 'node:net';

/** Express's names for subnets. */
const SUBNET_NAMES: readonly string[] = ['loopback', 'linklocal', 'uniquelocal'];

/**
 * Express' trust-proxy setting: true, false, a number of hops, or a comma-separated list of addresses and subnets.
 * Undefined if it is none of them: Express would throw only later, and quote the value.
 */
export function parseTrustProxy(text: string): boolean | number | string[] | undefined {
  if (text === 'true' || text === 'false') return text === 'true';
  if (/^[0-9]{1,2}$/.test(text)) return Number(text);
  const entries = text.split(',').map((entry) => entry.trim());
  return entries.every(isSubnet) ? entries : undefined;
}

function isSubnet(entry: string): boolean {
  if (SUBNET_NAMES.includes(entry)) return true;
  const match = /^([^/%]+)(?:\/([1-9][0-9]{0,2}))?$/.exec(entry);
  const version = isIP(match?.[1] ?? '');
  return version !== 0 && Number(match?.[2] ?? 1) <= (version === 4 ? 32 : 128);
}

/**
 * The problem with a well-formed setting, in words that do not quote it; undefined if there is none. A trusted proxy
 * determines the address of a client, which login limits and audit lines use.
 */
export function trustProxyProblem(
  trusted: boolean | number | readonly string[] | undefined,
): string | undefined {
  if (trusted === true) return 'believes every client about its own address; name the range of the proxy';
  if (typeof trusted !== 'object' || !trusted.includes('uniquelocal')) return undefined;
  return 'believes every private address, each pod of the cluster among them; name the range of the proxy';
}
