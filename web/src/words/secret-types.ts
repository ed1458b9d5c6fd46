/** The built-in types and Helm's, in a word each. */
export const TYPE_WORDS = {
  basicAuth: 'Basic auth',
  sshAuth: 'SSH key',
  tls: 'TLS',
  registry: 'Registry',
  serviceAccount: 'Service account',
  bootstrap: 'Bootstrap token',
  helm: 'Helm release',
};
