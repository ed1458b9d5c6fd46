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
