import type { Edit } from './edit.ts';
import { EDITS, EXTRA_RULES, WHEN } from './edits.ts';

/** A file of the chart. */
export interface Template {
  readonly file: string;
  readonly text: string;
}

/** Rendered manifests, as texts of YAML documents. */
export interface Sources {
  /** What is installed without any component. */
  readonly install: string;
  /** The same, with rights in single namespaces alone. */
  readonly namespaced: string;
  /** The same, with every component. */
  readonly allComponents: string;
}

/** Helm makes the namespace itself, and does not own it. */
const LEFT_OUT = 'Namespace/secrets-management';
/** Its rights stand for those in every namespace. */
const ONE_NAMESPACE = 'team-a';
const NOTE = '# Made from kustomize/ by `make manifests`: change it there, or in chart/edits.ts.\n';

/**
 * A template for each object that the manifests have.
 * @throws when a document is not as the edits expect it, or only a component has it and {@link WHEN} has no value for it
 */
export function templatesOf(sources: Sources): readonly Template[] {
  const [installed, all] = [documentsOf(sources.install), documentsOf(sources.allComponents)];
  const documents = new Map([...all, ...installed]);
  documents.delete(LEFT_OUT);
  const templates = [...documents].map(([key, document]) => {
    const when = WHEN[key];
    if (!installed.has(key) && when === undefined)
      throw new Error(`no value turns ${key} on: WHEN names none`);
    const text = templateOf(key, document);
    return { file: fileOf(key), text: NOTE + (when === undefined ? text : conditional(when, text)) };
  });
  return [...templates, rightsInNamespaces(documentsOf(sources.namespaced))];
}

function rightsInNamespaces(documents: ReadonlyMap<string, string>): Template {
  const texts = ['Role', 'RoleBinding'].map((kind) => {
    const document = documents.get(`${ONE_NAMESPACE}/${kind}/secrets-management-service`);
    if (document === undefined) throw new Error(`there is no ${kind} of ${ONE_NAMESPACE}`);
    const text = templateOf(kind, document);
    return `---\n${text.replace(`  namespace: ${ONE_NAMESPACE}\n`, '  namespace: {{ . }}\n')}`;
  });
  const [role = '', binding = ''] = texts;
  const each = `{{- range $.Values.namespaces }}\n${role}${EXTRA_RULES}${binding}{{- end }}\n`;
  return { file: 'namespace-rights.yaml', text: NOTE + each };
}

/** kustomize ends the name of the settings in their hash. */
const SETTINGS_HASH = /(?<=name: secrets-management-service)-[2456789bcdfghkmt]{10}$/gm;
const IMAGE_VERSION = /(?<=image: secrets-management-service):[\w.+-]+$/gm;

/** Documents by kind and name, behind the namespace where that is not the service's own. */
function documentsOf(text: string): ReadonlyMap<string, string> {
  const documents = text
    .replaceAll(SETTINGS_HASH, '')
    .replaceAll(IMAGE_VERSION, '')
    .split(/^---$/m)
    .map((document) => `${document.slice(document.indexOf('apiVersion: ')).trim()}\n`);
  return new Map(documents.map((document) => [keyOf(document), document]));
}

function keyOf(document: string): string {
  const kind = field(document, 'kind') ?? '';
  const name = field(document, '  name') ?? '';
  const namespace = field(document, '  namespace');
  const own = `${kind}/${name}`;
  return namespace === undefined || namespace === 'secrets-management' ? own : `${namespace}/${own}`;
}

function field(document: string, key: string): string | undefined {
  const line = document.split('\n').find((candidate) => candidate.startsWith(`${key}: `));
  return line?.slice(key.length + 2);
}

function templateOf(key: string, document: string): string {
  const text = document
    .replaceAll('{{', '{{ "{{" }}')
    .replaceAll('namespace: secrets-management\n', 'namespace: {{ $.Release.Namespace }}\n');
  return (EDITS[key] ?? []).reduce((edited, edit) => applied(key, edited, edit), text);
}

function applied(key: string, text: string, { before, after, times = 1 }: Edit): string {
  const parts = text.split(before);
  if (times !== 'any' && parts.length !== times + 1)
    throw new Error(`${key} has ${parts.length - 1} times, and not ${times}: ${before.trim()}`);
  return parts.join(after);
}

function conditional(when: string, text: string): string {
  return `{{- if ${when} }}\n${text}{{- end }}\n`;
}

/** `ConfigMap/secrets-management-service-dashboard` is in `config-map-dashboard.yaml`. */
function fileOf(key: string): string {
  const [kind = '', name = ''] = key.split('/');
  const words = kind.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
  return `${words}${name.replace(/^secrets-management-service|^service/, '')}.yaml`;
}
