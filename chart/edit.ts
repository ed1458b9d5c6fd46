/** A part of a document that the chart has in another form. */
export interface Edit {
  readonly before: string;
  readonly after: string;
  /** How often it occurs; once, unless this says otherwise. */
  readonly times?: number | 'any';
}

/** An optional field whose value is Kubernetes' own. */
export const optional = (value: string, fieldName: string, spaces: number): string => {
  const indent = ' '.repeat(spaces);
  return `{{- with $.Values.${value} }}\n${indent}${fieldName}:\n{{- toYaml . | nindent ${spaces + 2} }}\n{{- end }}\n`;
};

/** What the component `tls` adds. */
export const ifTls = (text: string): string => `{{- if $.Values.tls.enabled }}\n${text}{{- end }}\n`;
