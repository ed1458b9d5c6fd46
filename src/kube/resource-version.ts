/**
 * A revision as a number that can be compared: Kubernetes promises that resourceVersions of its own kinds are decimal
 * numbers that only grow. Undefined for anything else: then nothing can be said about its order.
 */
export function decimal(resourceVersion: string): bigint | undefined {
  return /^[0-9]{1,40}$/.test(resourceVersion) ? BigInt(resourceVersion) : undefined;
}
