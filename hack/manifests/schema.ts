import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import type { Manifest } from './rendered.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Stands beside package.json, so that imports in it are found. It is never written. */
const FILE = path.join(ROOT, 'manifests-under-check.ts');

/** The packages with the kinds of API groups that are not built in. */
const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ['monitoring.coreos.com', '@kubernetes-models/prometheus-operator'],
  ['gateway.networking.k8s.io', '@kubernetes-models/gateway-api'],
  ['gateway.envoyproxy.io', '@kubernetes-models/envoy-gateway'],
]);

interface Model {
  validate(): void;
}

/**
 * Holds objects to the schemas of their kinds (packages of kubernetes-models), in two ways: as
 * values, which finds what is missing or malformed, and as literals of the kinds' types, which finds unknown fields,
 * about which the schemas say nothing.
 * @returns what is wrong, in words; empty when nothing is
 */
export async function schemaProblems(manifests: readonly Manifest[]): Promise<readonly string[]> {
  if (manifests.length === 0) return [];
  const asValues = await Promise.all(manifests.map(problemsAsValue));
  return [...asValues.flat(), ...problemsAsLiterals(manifests)];
}

function moduleOf({ apiVersion, kind }: Manifest): string {
  const [group = ''] = apiVersion.split('/');
  return `${EXTENSIONS.get(group) ?? 'kubernetes-models'}/${apiVersion}/${kind}`;
}

async function problemsAsValue(manifest: Manifest): Promise<readonly string[]> {
  const { kind, metadata } = manifest;
  try {
    const models = (await import(moduleOf(manifest))) as Record<string, new (value: object) => Model>;
    const KindOfModel = models[kind];
    if (KindOfModel === undefined) return [`${kind} ${metadata.name}: unknown kind`];
    new KindOfModel(manifest).validate();
    return [];
  } catch (error) {
    return [`${kind} ${metadata.name}: ${error instanceof Error ? error.message : 'is invalid'}`];
  }
}

/** TypeScript objects to members of a literal that its type does not have, at any depth. */
function problemsAsLiterals(manifests: readonly Manifest[]): readonly string[] {
  const lines = manifests.map(
    (manifest, index) =>
      `import type { I${manifest.kind} as T${index} } from '${moduleOf(manifest)}';\n` +
      `export const v${index}: T${index} = ${JSON.stringify(manifest)};\n`,
  );
  const program = programOf(lines.join(''));
  return ts.getPreEmitDiagnostics(program, program.getSourceFile(FILE)).map(({ messageText, start }) => {
    // Each object has two lines.
    const line = program.getSourceFile(FILE)?.getLineAndCharacterOfPosition(start ?? 0).line ?? 0;
    const manifest = manifests[Math.floor(line / 2)];
    const text = ts.flattenDiagnosticMessageText(messageText, ' ');
    return `${manifest?.kind ?? ''} ${manifest?.metadata.name ?? ''}: ${text}`;
  });
}

function programOf(text: string): ts.Program {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    lib: ['lib.es2024.d.ts'],
    target: ts.ScriptTarget.ES2024,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  };
  const host = ts.createCompilerHost(options);
  const isIt = (file: string): boolean => path.normalize(file) === FILE;
  return ts.createProgram([FILE], options, {
    ...host,
    fileExists: (file) => isIt(file) || host.fileExists(file),
    getSourceFile: (file, version, ...rest) =>
      isIt(file) ? ts.createSourceFile(file, text, version) : host.getSourceFile(file, version, ...rest),
  });
}
