const LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const LABEL_VALUE = /^[A-Za-z0-9]([-A-Za-z0-9._]{0,61}[A-Za-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

export const NAMESPACE_RULE =
  'must be a DNS label: 1 to 63 characters from lowercase letters, digits and "-", beginning and ending with a letter or digit';
export const NAME_RULE =
  'must be a DNS subdomain: 1 to 253 characters from lowercase letters, digits, "-" and ".", each part beginning and ending with a letter or digit';

export const UID_RULE =
  'must be 1 to 63 characters from letters, digits, "-", "_" and ".", beginning and ending with a letter or digit';

/** Reserved for snapshots (src/history/snapshot/snapshot.ts). */
const SNAPSHOT_ENDING = /\.v[0-9]+\.[0-9a-f]{16}$/;
export const SNAPSHOT_NAME_RULE =
  'must not end like the name of a snapshot: ".v", a number, "." and 16 hexadecimal digits';

/** RFC 1123 label, as Kubernetes requires of a namespace's name. */
export const isNamespaceName = (name: string): boolean => LABEL.test(name);

/** RFC 1123 subdomain, as Kubernetes requires of a Secret's name. */
export const isSecretName = (name: string): boolean => name.length <= 253 && SUBDOMAIN.test(name);

/** A UID as a label can hold it: snapshots are selected by one. */
export const isUid = (uid: string): boolean => LABEL_VALUE.test(uid);

/**
 * The rule that the name of a Secret to be created breaks, as the continuation of "name"; undefined if none. Someone
 * who could use the names of snapshots could prevent others from updating their Secrets. Existing Secrets with such a
 * name can be read and deleted.
 */
export function newNameViolation(name: string): string | undefined {
  if (!isSecretName(name)) return NAME_RULE;
  return SNAPSHOT_ENDING.test(name) ? SNAPSHOT_NAME_RULE : undefined;
}
