import type { FileValue, FormValues, Value } from '../values/value.ts';
import { isolated } from '../values/format.ts';
import { isDockerConfig } from '../values/registries.ts';
import type { Row } from './draft.ts';
import { builtInName, DOCKER_CONFIG_KEY, keysOfType } from '../../../src/contract/secret-types.ts';
import { pemBlocks, type PemBlock } from '../../../src/contract/pem.ts';

export interface PlacedFile {
  readonly name: string;
  readonly value: string | FileValue;
}

/** What a file is about to fill: a key, and what the value is of the file. */
type Entries = readonly (readonly [key: string, value: Value, what: string])[];

/**
 * Where dropped files belong. A file with the name of a key is that key; the content of any other file may
 * say that it is the certificate, the key or the configuration that the type demands, as long as nothing else is. With a
 * sentence about each.
 */
export function placeFiles(type: string, files: readonly PlacedFile[], rows: readonly Row[]) {
  const known = [...keysOfType(type), ...(builtInName(type) === 'tls' ? ['ca.crt'] : [])];
  const isExact = ({ name }: PlacedFile) => known.includes(name);
  const before = new Map(rows.map(({ key, value }) => [key, value]));
  const exact = files.filter(isExact);
  const taken = new Set(exact.map(({ name }) => name));
  for (const [key, value] of before) if (value !== '') taken.add(key);
  const placed = new Map<string, Value>();
  const notes = [...exact, ...files.filter((file) => !isExact(file))].map((file) => {
    const parts = isExact(file) || typeof file.value !== 'string' ? [] : partsOf(type, file.value);
    const fits = parts.length > 0 && !parts.some(([key]) => taken.has(key));
    const into: Entries = fits ? parts : [[file.name, file.value, '']];
    const note = noteOf(file, into, new Map([...before, ...placed]));
    for (const [key, value] of into) {
      taken.add(key);
      placed.set(key, value);
    }
    return note;
  });
  return { entries: [...placed].map(([key, value]) => ({ key, value })), notes };
}

function partsOf(type: string, text: string): Entries {
  if (builtInName(type) === 'dockerconfigjson')
    return isDockerConfig(text) ? [[DOCKER_CONFIG_KEY, text, '']] : [];
  const { certificates, privateKey } = pemPartsOf(text);
  const both = certificates !== undefined && privateKey !== undefined;
  if (builtInName(type) === 'ssh-auth') {
    return privateKey === undefined || both ? [] : [['ssh-privatekey', privateKey, '']];
  }
  if (builtInName(type) !== 'tls') return [];
  return [
    ...(certificates === undefined
      ? []
      : [['tls.crt', certificates, both ? 'the certificates' : ''] as const]),
    ...(privateKey === undefined ? [] : [['tls.key', privateKey, both ? 'the private key' : ''] as const]),
  ];
}

function noteOf({ name }: PlacedFile, parts: Entries, before: FormValues): string {
  const each = parts.map(([key, value, what]) => {
    const old = before.get(key) ?? '';
    const place = `${what === '' ? '' : `${what} `}to ${isolated(key)}`;
    if (old === '') return place;
    return old === value ? `${place}, which had this value already` : `${place}, replacing its value`;
  });
  return `${isolated(name)}: ${each.join('; ')}.`;
}

/**
 * The certificates and the private key of a PEM text, neither when it is not PEM; one that holds a single kind stays whole,
 * byte for byte.
 */
function pemPartsOf(text: string) {
  const blocks = [...pemBlocks(text)];
  const isCertificate = ({ label }: PemBlock) => label.endsWith('CERTIFICATE');
  const ofKey = ({ label }: PemBlock) => label.endsWith('PRIVATE KEY') || label === 'EC PARAMETERS';
  const hasKey = blocks.some(({ label }) => label.endsWith('PRIVATE KEY'));
  const hasCertificate = blocks.some(isCertificate);
  if (!hasKey || !hasCertificate) {
    return { certificates: hasCertificate ? text : undefined, privateKey: hasKey ? text : undefined };
  }
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const join = (part: readonly PemBlock[]) => part.map((block) => block.text + lineEnd).join('');
  return { certificates: join(blocks.filter(isCertificate)), privateKey: join(blocks.filter(ofKey)) };
}
