/** A kubeconfig for the development cluster. JSON strings are YAML, so the values are quoted as such. */
export function kubeconfigText(url: string, token: string, certificate?: string): string {
  const authority =
    certificate === undefined
      ? ''
      : `\n      certificate-authority-data: ${Buffer.from(certificate).toString('base64')}`;
  return `apiVersion: v1
kind: Config
clusters:
  - name: dev
    cluster:
      server: ${JSON.stringify(url)}${authority}
users:
  - name: dev
    user:
      token: ${JSON.stringify(token)}
contexts:
  - name: dev
    context:
      cluster: dev
      user: dev
current-context: dev
`;
}
