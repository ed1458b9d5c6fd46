import type { NodeOf, Rule } from './rule.ts';

export const MAX_FUNCTION_LINES = 60;

type FunctionNode = NodeOf<'FunctionDeclaration' | 'ArrowFunctionExpression'>;

/** A function is at most 60 lines. The callback of a `describe` is a list of tests, and may be longer. */
export const functionLines: Rule = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: {
      long: 'This function has {{lines}} lines; at most {{most}} are allowed. Give its steps names.',
    },
  },
  create(context) {
    const check = (node: FunctionNode): void => {
      const lines = node.loc.end.line - node.loc.start.line + 1;
      if (lines <= MAX_FUNCTION_LINES || isListOfTests(node.parent)) return;
      context.report({
        node,
        messageId: 'long',
        data: { lines: String(lines), most: String(MAX_FUNCTION_LINES) },
      });
    };
    return { FunctionDeclaration: check, FunctionExpression: check, ArrowFunctionExpression: check };
  },
};

/** `describe(…)`, `describe.each(…)(…)` and the like. */
function isListOfTests(parent: unknown): boolean {
  let node = parent as { type: string; name?: string; callee?: unknown; object?: unknown; tag?: unknown };
  if (node.type !== 'CallExpression') return false;
  for (;;) {
    const inner = node.callee ?? node.object ?? node.tag;
    if (inner === undefined) return node.type === 'Identifier' && node.name === 'describe';
    node = inner as typeof node;
  }
}
