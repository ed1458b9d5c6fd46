/** A part of a document that the chart has in another form. */
export interface Edit {
  readonly before: string;
  readonly after: string;
  /** How often it occurs; once, unless this says otherwise. */
  readonly times?: number | 'any';
}

const NAME = 'secrets-management-service';

/** The value that turns on what only some installations have. */
export const WHEN: Readonly<Record<string, string>> = {
  [`ClusterRole/${NAME}`]: 'not $.Values.namespaces',
  [`ClusterRoleBinding/${NAME}`]: 'not $.Values.namespaces',
  [`ClusterRole/${NAME}-token-review`]: '$.Values.tokenReview.enabled',
  [`ClusterRoleBinding/${NAME}-token-review`]: '$.Values.tokenReview.enabled',
  [`ConfigMap/${NAME}-dashboard`]: '$.Values.monitoring.enabled',
  [`HorizontalPodAutoscaler/${NAME}`]: '$.Values.autoscaling.enabled',
  [`HTTPRoute/${NAME}`]: '$.Values.gateway.enabled',
  [`Ingress/${NAME}`]: '$.Values.ingress.enabled',
  [`NetworkPolicy/${NAME}`]: '$.Values.networkPolicy.enabled',
  [`PrometheusRule/${NAME}`]: '$.Values.monitoring.enabled',
  [`ServiceMonitor/${NAME}`]: '$.Values.monitoring.enabled',
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

/** An optional field whose value is Kubernetes' own. */
const optional = (value: string, fieldName: string, spaces: number): string => {
  const indent = ' '.repeat(spaces);
  return `{{- with $.Values.${value} }}\n${indent}${fieldName}:\n{{- toYaml . | nindent ${spaces + 2} }}\n{{- end }}\n`;
};

/** What a setting says, where the manifests have its default: by it, names have their rights, and ports are reached. */
const setting = (name: string, byDefault: string): Edit => ({
  before: ` ${byDefault}\n`,
  after: ` {{ $.Values.settings.${name} | default "${byDefault}" | quote }}\n`,
});
const POLICY_NAME = setting('SERVICE_POLICY_NAME', 'service-policy');

/** The host of a rule, or that of the public URL. */
const host = (value: string): string => `{{ include "host" (list $ $.Values.${value}) }}`;

/** What the component `tls` adds. */
const ifTls = (text: string): string => `{{- if $.Values.tls.enabled }}\n${text}{{- end }}\n`;

/** The volumes or mounts of a value, such as `extraVolumes`, and that of the component `tls`. */
const withTls = (value: 'extraVolumes' | 'extraVolumeMounts', text: string, spaces: number): string => {
  const indent = ' '.repeat(spaces);
  const fieldName = value === 'extraVolumes' ? 'volumes' : 'volumeMounts';
  return `{{- if or $.Values.tls.enabled $.Values.${value} }}
${indent}${fieldName}:
${ifTls(text)}{{- with $.Values.${value} }}
{{- toYaml . | nindent ${spaces} }}
{{- end }}
{{- end }}
`;
};

const TLS_VOLUME_MOUNT = `        - mountPath: /etc/server-tls
          name: server-tls
          readOnly: true
`;

/** Octal 440: the group reads the key, no one else. */
const TLS_VOLUME = `      - name: server-tls
        secret:
          defaultMode: 288
          secretName: {{ $.Values.tls.secretName }}
`;

const TLS_ANNOTATIONS = `    haproxy.org/server-ssl: "true"
    nginx.ingress.kubernetes.io/backend-protocol: HTTPS
    nginx.org/ssl-services: secrets-management-service
`;

const OF_THE_DEPLOYMENT: readonly Edit[] = [
  {
    before: '  replicas: 2\n',
    after: '{{- if not $.Values.autoscaling.enabled }}\n  replicas: {{ $.Values.replicas }}\n{{- end }}\n',
  },
  {
    // Whatever changes the settings rolls the pods.
    before: '  template:\n    metadata:\n',
    after: `  template:
    metadata:
      annotations:
        checksum/settings: {{ include "settings" $ | sha256sum }}
{{- with $.Values.podAnnotations }}
{{- toYaml . | nindent 8 }}
{{- end }}
`,
  },
  {
    before:
      '              key: SESSION_SECRET\n              name: secrets-management-service\n              optional: true\n',
    after: `              key: SESSION_SECRET
              name: secrets-management-service
{{- if $.Values.waitForSettings }}
              optional: true
{{- end }}
`,
  },
  {
    before: '              name: secrets-management-service\n',
    after: '              name: {{ $.Values.secretName }}\n',
    times: 4,
  },
  {
    before: '          value: --max-semi-space-size=8 --max-old-space-size=768\n',
    after: `          value: {{ $.Values.nodeOptions | quote }}
{{- with $.Values.extraEnv }}
{{- toYaml . | nindent 8 }}
{{- end }}
`,
  },
  {
    before: '        image: secrets-management-service\n        imagePullPolicy: IfNotPresent\n',
    after: `        image: {{ $.Values.image.repository }}{{ with $.Values.image.digest }}@{{ . }}{{ else }}:{{ $.Values.image.tag | default $.Chart.AppVersion }}{{ end }}
        imagePullPolicy: {{ $.Values.image.pullPolicy }}
`,
  },
  {
    before: `        resources:
          limits:
            memory: 1Gi
          requests:
            cpu: 100m
            memory: 256Mi
`,
    after: '        resources:\n{{- toYaml $.Values.resources | nindent 10 }}\n',
  },
  {
    before: '      enableServiceLinks: false\n',
    after: `${withTls('extraVolumeMounts', TLS_VOLUME_MOUNT, 8)}      enableServiceLinks: false
${optional('image.pullSecrets', 'imagePullSecrets', 6)}${optional('nodeSelector', 'nodeSelector', 6)}${optional('tolerations', 'tolerations', 6)}${optional('affinity', 'affinity', 6)}${withTls('extraVolumes', TLS_VOLUME, 6)}`,
  },
  {
    before: '      securityContext:\n        runAsGroup: 65532\n',
    after: `      securityContext:
${ifTls('        fsGroup: 65532\n        fsGroupChangePolicy: OnRootMismatch\n')}        runAsGroup: 65532
`,
  },
];

/** By kind and name, as {@link WHEN}. */
export const EDITS: Readonly<Record<string, readonly Edit[]>> = {
  [`Deployment/${NAME}`]: OF_THE_DEPLOYMENT,
  [`ConfigMap/${NAME}`]: [
    {
      before: '  LOG_LEVEL: info\n  NODE_ENV: production\n  SERVICE_WAIT_FOR_SETTINGS: "true"\n',
      after: '{{- include "settings" $ | nindent 2 }}\n',
    },
  ],
  [`Service/${NAME}`]: [
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
