const LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

export const NAMESPACE_RULE =
  'must be a DNS label: 1 to 63 characters from lowercase letters, digits and "-", beginning and ending with a letter or digit';
export const NAME_RULE =
  'must be a DNS subdomain: 1 to 253 characters from lowercase letters, digits, "-" and ".", each part beginning and ending with a letter or digit';

/** RFC 1123 label, as Kubernetes demands of a namespace's name. */
export function isNamespaceName(name: string): boolean {
  return LABEL.test(name);
}

/** RFC 1123 subdomain, as Kubernetes demands of a Secret's name. */
export function isSecretName(name: string): boolean {
  return name.length <= 253 && SUBDOMAIN.test(name);
}
