import { parse, type Root } from 'postcss';
import { build, type Plugin, type PluginOption } from 'vite';
import { usedClasses, type IsUsed } from './class-names.ts';
import { canMatch } from './selectors.ts';
import { inline, removeUnread, resolveVariables, type Variables } from './variables.ts';

const NAME_OF_VARIABLE = /--pf-[\w-]+/g;
const CLASS = /\.(pf-[\w-]+)/g;

interface Plan {
  readonly isUsed: IsUsed;
  readonly variables: Variables;
  /** The classes whose rules are left out, for a test that looks for them in the pages. */
  readonly leftOut: readonly string[];
}

/**
 * Leaves out the rules and the custom properties of PatternFly that no page can need. What is needed comes from a first build, kept
 * in memory, so that the names of the files follow from what is in them.
 *
 * @param before the plugins that the first build has
 */
export function slimCss(before: () => readonly PluginOption[]): Plugin {
  let plan: Promise<Plan> | undefined;
  return {
    name: 'slim-css',
    apply: 'build',
    enforce: 'pre',
    buildStart() {
      plan ??= makePlan(before());
    },
    transform: {
      filter: { id: /\.css$/ },
      async handler(code) {
        if (plan === undefined) return null;
        const { isUsed, variables } = await plan;
        const sheet = parse(code);
        removeUnmatched(sheet, isUsed);
        inline(sheet, variables.inlined);
        removeUnread(sheet, variables.isRead);
        removeEmpty(sheet);
        return { code: sheet.toString(), map: null };
      },
    },
    async generateBundle() {
      const { leftOut = [] } = (await plan) ?? {};
      this.emitFile({ type: 'asset', fileName: '.vite/left-out.json', source: JSON.stringify(leftOut) });
    },
  };
}

async function makePlan(plugins: readonly PluginOption[]): Promise<Plan> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    plugins: [...plugins],
    build: { write: false, minify: false, cssMinify: false, assetsInlineLimit: 0 },
  });
  if (!('output' in result)) throw new TypeError('the first build has no output');
  const modules = new Map<string, string>();
  const sheets: Root[] = [];
  for (const file of result.output) {
    if (file.type === 'chunk') {
      for (const [path, { code }] of Object.entries(file.modules)) modules.set(path, code ?? '');
    } else if (file.fileName.endsWith('.css')) {
      sheets.push(parse(String(file.source)));
    }
  }
  const isUsed = usedClasses(modules);
  const leftOut = classesOf(sheets).filter((name) => !isUsed(name));
  for (const sheet of sheets) removeUnmatched(sheet, isUsed);
  return { isUsed, variables: resolveVariables(sheets, variablesIn(modules)), leftOut };
}

function classesOf(sheets: readonly Root[]): string[] {
  const names = new Set<string>();
  for (const sheet of sheets) {
    sheet.walkRules(({ selector }) => {
      for (const [, name = ''] of selector.matchAll(CLASS)) names.add(name);
    });
  }
  return [...names].sort();
}

function variablesIn(modules: ReadonlyMap<string, string>): ReadonlySet<string> {
  return new Set([...modules.values()].flatMap((code) => code.match(NAME_OF_VARIABLE) ?? []));
}

function removeUnmatched(sheet: Root, isUsed: IsUsed): void {
  sheet.walkRules((rule) => {
    const { parent } = rule;
    if (parent?.type === 'atrule' && 'name' in parent && parent.name.endsWith('keyframes')) return;
    const kept = rule.selectors.filter((selector) => canMatch(selector, isUsed));
    if (kept.length === 0) rule.remove();
    else if (kept.length < rule.selectors.length) rule.selectors = kept;
  });
}

function removeEmpty(sheet: Root): void {
  sheet.walkRules((rule) => {
    if (rule.nodes.length === 0) rule.remove();
  });
  sheet.walkAtRules((rule) => {
    if (rule.nodes?.length === 0) rule.remove();
  });
}
