import { isIP } from 'node:net';

/** Names that Express knows for subnets. */
const SUBNET_NAMES: readonly string[] = ['loopback', 'linklocal', 'uniquelocal'];

/**
 * Express' trust-proxy setting: true, false, a number of hops, or a comma-separated list of addresses and
 * subnets. Undefined when it is none of them: Express itself would throw only later, quoting the value.
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
 * What is wrong with a setting that is well-formed, in words that do not repeat it; undefined when nothing is. Whoever is
 * trusted says what address a client has, by which logins are limited and audit lines tell people apart.
 */
export function trustProxyProblem(
  trusted: boolean | number | readonly string[] | undefined,
): string | undefined {
  if (trusted === true) return 'believes every client about its own address; name the range of the proxy';
  if (typeof trusted !== 'object' || !trusted.includes('uniquelocal')) return undefined;
  return 'believes every private address, each pod of the cluster among them; name the range of the proxy';
}
