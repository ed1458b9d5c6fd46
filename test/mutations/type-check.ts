import { existsSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { plant, titleOf, type Mutant } from './mutant.ts';

/** Nothing uses what only the correct code needed. */
const UNUSED: ReadonlySet<number> = new Set([6133, 6138, 6192, 6196, 6198]);

/**
 * The mutants that do not compile, with what the compiler says: no one can plant them, and a test that they fail proves
 * nothing. One program checks all of them, since each changes a single file.
 */
export function typeErrors(root: string, mutants: readonly Mutant[]): readonly string[] {
  let planted: { readonly path: string; readonly text: string } | undefined;
  let version = 0;
  const configFile = join(root, 'tsconfig.json');
  const { config } = ts.readConfigFile(configFile, (path) => ts.sys.readFile(path)) as { config: unknown };
  const { options } = ts.parseJsonConfigFileContent(config, { ...ts.sys, readDirectory: () => [] }, root);
  const touched = new Map<string, number>();
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getCurrentDirectory: () => root,
    getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
    getScriptFileNames: () => [...new Set(mutants.map(({ file }) => join(root, file)))],
    getScriptVersion: (path) => String(touched.get(path) ?? 0),
    getScriptSnapshot: (path) => {
      const text =
        planted?.path === path ? planted.text : existsSync(path) ? ts.sys.readFile(path) : undefined;
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    fileExists: (path) => ts.sys.fileExists(path),
    readFile: (path) => ts.sys.readFile(path),
    directoryExists: (path) => ts.sys.directoryExists(path),
    getDirectories: (path) => ts.sys.getDirectories(path),
  });
  return mutants.flatMap((mutant) => {
    const path = join(root, mutant.file);
    if (planted !== undefined) touched.set(planted.path, ++version);
    planted = { path, text: plant(ts.sys.readFile(path) ?? '', mutant) };
    touched.set(path, ++version);
    return [...service.getSyntacticDiagnostics(path), ...service.getSemanticDiagnostics(path)]
      .filter(({ code }) => !UNUSED.has(code))
      .map(({ messageText }) => `${titleOf(mutant)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
  });
}
