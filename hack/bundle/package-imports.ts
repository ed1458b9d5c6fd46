import { isBuiltin } from 'node:module';
import { parseAst } from 'rolldown/parseAst';

/** What is imported from each package: names of exports, `*` for all of them. The key is as in the import: `zod`, `zod/v4`. */
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
    for (const node of nodesOf(parseAst(text))) {
      for (const [specifier, name] of importsBy(node, module)) {
        found.set(specifier, (found.get(specifier) ?? new Set()).add(name));
      }
    }
  }
  return new Map([...found].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function importsBy(node: AstNode, module: string): readonly (readonly [string, string])[] {
  const isImport = node.type === 'ImportDeclaration';
  if (!isImport && !/^(?:Export(?:Named|All)Declaration|ImportExpression)$/.test(node.type)) return [];
  const source = node['source'] as AstNode | null;
  if (source === null) return []; // `export { … }` without `from`
  const specifier = source['value'];
  if (typeof specifier !== 'string') throw new Error(`${module} imports what is computed at run time`);
  if (/^[./]/.test(specifier) || isBuiltin(specifier)) return [];
  if (!isImport) throw new Error(`${module} imports ${specifier} other than by an import declaration`);
  return (node['specifiers'] as readonly AstNode[]).map((one) => [specifier, nameOf(one)]);
}

function nameOf(specifier: AstNode): string {
  if (specifier.type === 'ImportDefaultSpecifier') return 'default';
  if (specifier.type === 'ImportNamespaceSpecifier') return '*';
  return String((specifier['imported'] as AstNode)['name']);
}

function* nodesOf(value: unknown): Generator<AstNode> {
  if (typeof value !== 'object' || value === null) return;
  if ('type' in value && typeof value.type === 'string') yield value as AstNode;
  for (const child of Object.values(value)) yield* nodesOf(child);
}
