import { hash } from 'node:crypto';

const MAX_NAME = 253;

/**
 * The name of the snapshot of a UID and version: the live name for readability, the version, and a digest of the UID. A
 * recreated Secret has another UID, so its snapshots have other names.
 */
export function snapshotName(liveName: string, version: number, uid: string): string {
  const digest = hash('sha256', uid, 'hex').slice(0, 16);
  const suffix = `.v${version}.${digest}`;
  // A cut may end in the middle of a label, and a DNS label must not end with "-" or be empty.
  return `${withoutSeparatorsAtEnd(liveName.slice(0, MAX_NAME - suffix.length))}${suffix}`;
}

function withoutSeparatorsAtEnd(name: string): string {
  let end = name.length;
  while (name[end - 1] === '-' || name[end - 1] === '.') end--;
  return name.slice(0, end);
}

/** Whether a name has the form of snapshot names. */
export function hasSnapshotName(name: string): boolean {
  return /\.v[0-9]+\.[0-9a-f]{16}$/.test(name);
}

/** The number in the name, if it is the name of a snapshot of this Secret. */
export function versionNamed(
  name: string,
  live: { readonly name: string; readonly uid: string },
): number | undefined {
  const digits = /\.v([1-9][0-9]{0,15})\.[0-9a-f]{16}$/.exec(name)?.[1];
  const version = Number(digits);
  return Number.isSafeInteger(version) && name === snapshotName(live.name, version, live.uid)
    ? version
    : undefined;
}
