import { isBuiltin } from 'node:module';
import { parseAst } from 'rolldown/parseAst';

/**
 * What is imported from each package: names of exports, `*` for all of them, where the name for all is used other than as in
 * `z.string`. The key is as in the import: `zod`, `zod/v4`.
 */
export type PackageImports = ReadonlyMap<string, ReadonlySet<string>>;

interface AstNode {
  readonly type: string;
  readonly [field: string]: unknown;
}

/**
 * The imports of packages in some modules.
 * @param modules the text of each by its name
 * @throws for a form of import whose names, or whose package, cannot be read from the text
 */
export function packageImportsOf(modules: ReadonlyMap<string, string>): PackageImports {
  const found = new Map<string, Set<string>>();
  for (const [module, text] of modules) {
    const nodes = [...nodesOf(parseAst(text))];
    for (const node of nodes) {
      for (const [specifier, names] of importsBy(node, module, nodes)) {
        found.set(specifier, new Set([...(found.get(specifier) ?? []), ...names]));
      }
    }
  }
  return new Map([...found].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

type Imported = readonly [specifier: string, names: readonly string[]];

function importsBy(node: AstNode, module: string, all: readonly AstNode[]): readonly Imported[] {
  const isImport = node.type === 'ImportDeclaration';
  if (!isImport && !/^(?:Export(?:Named|All)Declaration|ImportExpression)$/.test(node.type)) return [];
  const source = node['source'] as AstNode | null;
  if (source === null) return []; // `export { … }` without `from`
  const specifier = source['value'];
  if (typeof specifier !== 'string') throw new Error(`${module} imports what is computed at run time`);
  if (/^[./]/.test(specifier) || isBuiltin(specifier)) return [];
  if (!isImport) throw new Error(`${module} imports ${specifier} other than by an import declaration`);
  return (node['specifiers'] as readonly AstNode[]).map((one) => [specifier, namesOf(one, all)]);
}

function namesOf(specifier: AstNode, all: readonly AstNode[]): readonly string[] {
  if (specifier.type === 'ImportDefaultSpecifier') return ['default'];
  if (specifier.type === 'ImportNamespaceSpecifier') return membersOf(nameOf(specifier['local']), all);
  return [nameOf(specifier['imported'])];
}

/** The members that are read of what a name stands for; `*` where anything else is done with the name. */
function membersOf(name: string, all: readonly AstNode[]): readonly string[] {
  const uses = all.filter((node) => isNamed(node, name)).length;
  const members = all.filter(
    (node) => node.type === 'MemberExpression' && node['computed'] !== true && isNamed(node['object'], name),
  );
  // The import itself is the one use more.
  const isReadAlone = members.length > 0 && uses === members.length + 1;
  return isReadAlone ? members.map((node) => nameOf(node['property'])) : ['*'];
}

const nameOf = (node: unknown): string => String((node as AstNode)['name']);

function isNamed(node: unknown, name: string): boolean {
  return (node as AstNode).type === 'Identifier' && nameOf(node) === name;
}

function* nodesOf(value: unknown): Generator<AstNode> {
  if (typeof value !== 'object' || value === null) return;
  if ('type' in value && typeof value.type === 'string') yield value as AstNode;
  for (const child of Object.values(value)) yield* nodesOf(child);
}
