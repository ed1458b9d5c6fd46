import { DEPLOYMENT_EDITS } from './deployment-edits.ts';
import { ifTls, optional, type Edit } from './edit.ts';

const NAME = 'secrets-management-service';

const monitoring = (part: string): string => `and $.Values.monitoring.enabled $.Values.monitoring.${part}`;

/** The value that turns on what only some installations have. */
export const WHEN: Readonly<Record<string, string>> = {
  [`ClusterRole/${NAME}`]: 'not $.Values.namespaces',
  [`ClusterRoleBinding/${NAME}`]: 'not $.Values.namespaces',
  [`ClusterRole/${NAME}-token-review`]: '$.Values.tokenReview.enabled',
  [`ClusterRoleBinding/${NAME}-token-review`]: '$.Values.tokenReview.enabled',
  [`ConfigMap/${NAME}-dashboard`]: monitoring('dashboard'),
  [`HorizontalPodAutoscaler/${NAME}`]: '$.Values.autoscaling.enabled',
  [`HTTPRoute/${NAME}`]: '$.Values.gateway.enabled',
  [`Ingress/${NAME}`]: '$.Values.ingress.enabled',
  [`NetworkPolicy/${NAME}`]: '$.Values.networkPolicy.enabled',
  [`PrometheusRule/${NAME}`]: monitoring('alerts'),
  [`ServiceMonitor/${NAME}`]: monitoring('serviceMonitor'),
};

/** The rules of the components `restart-rights` and `consumers-rights`. */
export const EXTRA_RULES = `{{- if or $.Values.consumers.enabled $.Values.restart.enabled }}
- apiGroups:
  - apps
  resources:
  - daemonsets
  - deployments
  - statefulsets
  verbs:
  - list
{{- if $.Values.restart.enabled }}
  - patch
{{- end }}
- apiGroups:
  - batch
  resources:
  - cronjobs
  verbs:
  - list
{{- end }}
`;

/** The end of a role, where rules are appended. */
const END_OF_CLUSTER_ROLE = `  - leases
  verbs:
  - list
`;

/** A name in a setting, where the manifests have its default. */
const setting = (name: string, byDefault: string): Edit => ({
  before: ` ${byDefault}\n`,
  after: ` {{ $.Values.settings.${name} | default "${byDefault}" | quote }}\n`,
});
/** Cluster-wide, also where the service has rights in single namespaces. */
const tokenReviewName = (times: number): Edit => ({
  before: `  name: ${NAME}-token-review\n`,
  after: `  name: ${NAME}-token-review-{{ $.Release.Namespace }}\n`,
  times,
});
const POLICY_NAME = setting('SERVICE_POLICY_NAME', 'service-policy');

/** By which Prometheus and Grafana select it. */
const MONITORING_LABELS: Edit = {
  before: 'metadata:\n  labels:\n',
  after: `metadata:
  labels:
{{- with $.Values.monitoring.labels }}
{{- toYaml . | nindent 4 }}
{{- end }}
`,
};

/** The host of a rule, or that of the public URL. */
const host = (value: string): string => `{{ include "host" (list $ $.Values.${value}) }}`;

const TLS_ANNOTATIONS = `    haproxy.org/server-ssl: "true"
    nginx.ingress.kubernetes.io/backend-protocol: HTTPS
    nginx.org/ssl-services: secrets-management-service
`;

/** By kind and name, as {@link WHEN}. */
export const EDITS: Readonly<Record<string, readonly Edit[]>> = {
  [`Deployment/${NAME}`]: DEPLOYMENT_EDITS,
  [`ConfigMap/${NAME}`]: [
    {
      before: '  LOG_LEVEL: info\n  NODE_ENV: production\n  SERVICE_WAIT_FOR_SETTINGS: "true"\n',
      after: '{{- include "settings" $ | nindent 2 }}\n',
    },
  ],
  [`ConfigMap/${NAME}-dashboard`]: [MONITORING_LABELS],
  [`ServiceMonitor/${NAME}`]: [MONITORING_LABELS],
  [`Service/${NAME}`]: [
    { before: 'metadata:\n', after: `metadata:\n${optional('service.annotations', 'annotations', 2)}` },
    {
      before: '  - name: http\n    port: 80\n',
      after: `{{- if $.Values.tls.enabled }}
  - appProtocol: https
    name: https
    port: 443
{{- else }}
  - name: http
    port: 80
{{- end }}
`,
    },
  ],
  [`PrometheusRule/${NAME}`]: [
    MONITORING_LABELS,
    {
      before: 'https://example.com/secrets-management-service/docs/runbook.md',
      after: '{{ $.Values.monitoring.runbookUrl }}',
      times: 'any',
    },
  ],
  [`ClusterRole/${NAME}`]: [
    POLICY_NAME,
    { before: END_OF_CLUSTER_ROLE, after: END_OF_CLUSTER_ROLE + EXTRA_RULES },
  ],
  [`ClusterRole/${NAME}-token-review`]: [tokenReviewName(1)],
  [`ClusterRoleBinding/${NAME}-token-review`]: [tokenReviewName(2)],
  // In each namespace.
  Role: [POLICY_NAME],
  'ConfigMap/service-policy': [POLICY_NAME],
  [`Role/${NAME}-revocations`]: [setting('SERVICE_REVOCATIONS_NAME', 'service-revocations')],
  [`Role/${NAME}-leader`]: [
    {
      before: '  - update\n',
      after: '  - update\n{{- if $.Values.namespaces }}\n  - list\n{{- end }}\n',
    },
  ],
  [`HorizontalPodAutoscaler/${NAME}`]: [
    { before: '  maxReplicas: 6\n', after: '  maxReplicas: {{ $.Values.autoscaling.maxReplicas }}\n' },
    { before: '  minReplicas: 2\n', after: '  minReplicas: {{ $.Values.autoscaling.minReplicas }}\n' },
  ],
  [`HTTPRoute/${NAME}`]: [
    { before: '  - secrets.example.com\n', after: `  - ${host('gateway.hostname')}\n` },
    {
      before: '  parentRefs:\n  - name: gateway\n    namespace: gateway\n',
      after: '  parentRefs:\n{{- toYaml $.Values.gateway.parentRefs | nindent 4 }}\n',
    },
    { before: '      port: 80\n', after: '      port: {{ ternary 443 80 $.Values.tls.enabled }}\n' },
  ],
  [`Ingress/${NAME}`]: [
    {
      before: '  annotations:\n',
      after: `  annotations:
{{- with $.Values.ingress.annotations }}
{{- toYaml . | nindent 4 }}
{{- end }}
${ifTls(TLS_ANNOTATIONS)}`,
    },
    {
      before: '              name: http\n',
      after: '              name: {{ ternary "https" "http" $.Values.tls.enabled }}\n',
    },
    {
      before: 'spec:\n',
      after: `spec:
{{- with $.Values.ingress.className }}
  ingressClassName: {{ . }}
{{- end }}
`,
    },
    { before: '  - host: secrets.example.com\n', after: `  - host: ${host('ingress.host')}\n` },
    { before: '    - secrets.example.com\n', after: `    - ${host('ingress.host')}\n` },
    {
      before: '    secretName: secrets-management-service-tls\n',
      after: '    secretName: {{ $.Values.ingress.tlsSecretName }}\n',
    },
  ],
  [`NetworkPolicy/${NAME}`]: [
    {
      // A rule without ports would permit all.
      before: `  - ports:
    - port: 443
      protocol: TCP
    - port: 6443
      protocol: TCP
`,
      after: `{{- with $.Values.networkPolicy.egressPorts }}
  - ports:
{{- range . }}
    - port: {{ . }}
      protocol: TCP
{{- end }}
{{- end }}
{{- with $.Values.networkPolicy.extraEgress }}
{{- toYaml . | nindent 2 }}
{{- end }}
`,
    },
    {
      before: 'metadata.name: ingress-nginx\n',
      after: 'metadata.name: {{ $.Values.networkPolicy.ingressNamespace }}\n',
    },
    {
      before: 'metadata.name: monitoring\n',
      after: 'metadata.name: {{ $.Values.networkPolicy.monitoringNamespace }}\n',
    },
  ],
};
