import { ifTls, optional, type Edit } from './edit.ts';

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

/** A port of the container, which a setting moves. */
const port = (name: string, byDefault: number): Edit => ({
  before: `containerPort: ${byDefault}\n`,
  after: `containerPort: {{ $.Values.settings.${name} | default ${byDefault} }}\n`,
});

export const DEPLOYMENT_EDITS: readonly Edit[] = [
  port('PORT', 3_000),
  port('OPS_PORT', 9_090),
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
    // Kept from an installation without Helm, it would win over the values.
    before: `        - configMapRef:
            name: secrets-management-service-settings
            optional: true
`,
    after: '',
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
