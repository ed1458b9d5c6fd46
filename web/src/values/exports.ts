import type { SecretSummary, SplitValues } from '../api/secrets-api.ts';
import { bytesOf } from '../../../src/contract/text.ts';
import { base64Of } from './bytes.ts';
import { dotenvOf } from './dotenv.ts';

type Exported = Pick<SecretSummary, 'namespace' | 'name' | 'type' | 'immutable'> & SplitValues;

/** What each format is called, how its file ends, and its text. */
export const EXPORTS = {
  env: { label: '.env', ending: '.env', make: ({ text }: Exported) => dotenvOf(text) },
  json: { label: 'JSON', ending: '.json', make: jsonOf },
  yaml: { label: 'YAML manifest', ending: '.yaml', make: manifestOf },
  kubectl: { label: 'kubectl command', ending: '.sh', make: commandOf },
  secretKeyRef: { label: 'secretKeyRef snippet', ending: '-env.yaml', make: referencesOf },
};

export type ExportFormat = keyof typeof EXPORTS;

/** A Secret as a text for other tools. */
export interface ExportedText {
  readonly text: string;
  readonly fileName: string;
  /** Keys that this format cannot hold. */
  readonly leftOut: readonly string[];
}

/** Every byte of every value is in the text, except for `leftOut`. */
export function exportSecret(secret: Exported, format: ExportFormat): ExportedText {
  const { ending, make } = EXPORTS[format];
  const leftOut = format === 'env' ? [...secret.binary.keys()] : [];
  return { text: make(secret), fileName: `${secret.name}${ending}`, leftOut };
}

/** Text as it is; bytes that are not text as an object, which no text can be mistaken for. */
function jsonOf({ text, binary }: SplitValues): string {
  const entries = [...text, ...[...binary].map(([key, base64]) => [key, { base64 }] as const)];
  return `${JSON.stringify(Object.fromEntries(entries), undefined, 2)}\n`;
}

function manifestOf({ namespace, name, type, immutable, text, binary }: Exported): string {
  const data = [...[...text].map(([key, value]) => [key, base64Of(bytesOf(value))] as const), ...binary];
  return [
    'apiVersion: v1',
    'kind: Secret',
    'metadata:',
    `  name: ${yamlText(name)}`,
    `  namespace: ${yamlText(namespace)}`,
    `type: ${yamlText(type)}`,
    ...(immutable ? ['immutable: true'] : []),
    data.length === 0 ? 'data: {}' : 'data:',
    ...data.map(([key, base64]) => `  ${yamlText(key)}: ${yamlText(base64)}`),
    '',
  ].join('\n');
}

/** The values are the command's input, so that no list of processes shows them. */
function commandOf(secret: Exported): string {
  return `kubectl apply -f - <<'EOF'\n${manifestOf(secret)}EOF\n`;
}

/** For the `env` of a container: a variable for each key. */
function referencesOf({ name, text, binary }: Exported): string {
  const taken = new Set<string>();
  const variables = [...text.keys(), ...binary.keys()].map((key) => {
    const variable = freeName(variableOf(key), taken);
    taken.add(variable);
    return `${secretKeyRef(variable, name, key)}\n`;
  });
  return variables.length === 0 ? 'env: []\n' : `env:\n${variables.join('')}`;
}

/** One entry of `env` that refers to a key of a Secret. */
export function secretKeyRef(variable: string, name: string, key: string): string {
  return [
    `  - name: ${yamlText(variable)}`,
    '    valueFrom:',
    '      secretKeyRef:',
    `        name: ${yamlText(name)}`,
    `        key: ${yamlText(key)}`,
  ].join('\n');
}

/** The usual name of the variable for a key: `tls.crt` becomes `TLS_CRT`. */
export function variableOf(key: string): string {
  const name = key.toUpperCase().replaceAll(/[^A-Z0-9_]/g, '_');
  return /^[0-9]/.test(name) ? `_${name}` : name;
}

/** Prints one value, byte for byte. Names and keys have no character that a shell or a template interprets. */
export function printCommand({ namespace, name }: { namespace: string; name: string }, key: string): string {
  const template = `{{index .data "${key}" | base64decode}}`;
  return `kubectl get secret ${name} --namespace ${namespace} --output go-template='${template}'`;
}

function freeName(wanted: string, taken: ReadonlySet<string>): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number++) name = `${wanted}_${number}`;
  return name;
}

/** Quoted, so that a name such as `123` or `null` stays a text; in ASCII, since YAML has line breaks of its own. */
function yamlText(text: string): string {
  return JSON.stringify(text).replaceAll(/[\u007f-\u{10ffff}]/gu, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
  });
}
