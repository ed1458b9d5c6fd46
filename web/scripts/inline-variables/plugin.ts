import { parse, type Root } from 'postcss';
import { build, type Plugin, type PluginOption } from 'vite';
import { inline, removeUnread, resolveVariables, type Variables } from './variables.ts';

const NAME_OF_VARIABLE = /--pf-[\w-]+/g;

/**
 * Replaces custom properties of PatternFly by their values, and leaves out those that nothing reads. Every rule stays. What is read
 * comes from a first build, kept in memory, so that the names of the files follow from what is in them.
 *
 * @param before the plugins that the first build has
 */
export function inlineVariables(before: () => readonly PluginOption[]): Plugin {
  let variables: Promise<Variables> | undefined;
  return {
    name: 'inline-variables',
    apply: 'build',
    enforce: 'pre',
    buildStart() {
      variables ??= variablesOfPages(before());
    },
    transform: {
      filter: { id: /\.css$/ },
      async handler(code) {
        if (variables === undefined) return null;
        const { inlined, isRead } = await variables;
        const sheet = parse(code);
        inline(sheet, inlined);
        removeUnread(sheet, isRead);
        removeEmpty(sheet);
        return { code: sheet.toString(), map: null };
      },
    },
  };
}

async function variablesOfPages(plugins: readonly PluginOption[]): Promise<Variables> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    plugins: [...plugins],
    build: { write: false, minify: false, cssMinify: false, assetsInlineLimit: 0 },
  });
  if (!('output' in result)) throw new TypeError('the first build has no output');
  const sheets: Root[] = [];
  const inScripts = new Set<string>();
  for (const file of result.output) {
    if (file.type === 'chunk') for (const [name] of file.code.matchAll(NAME_OF_VARIABLE)) inScripts.add(name);
    else if (file.fileName.endsWith('.css')) sheets.push(parse(String(file.source)));
  }
  return resolveVariables(sheets, [...inScripts]);
}

function removeEmpty(sheet: Root): void {
  sheet.walkRules((rule) => {
    if (rule.nodes.length === 0) rule.remove();
  });
  sheet.walkAtRules((rule) => {
    if (rule.nodes?.length === 0) rule.remove();
  });
}
