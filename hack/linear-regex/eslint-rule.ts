import type { Rule } from 'eslint';
import ts from 'typescript';
import { whyNotLinear } from './why-not-linear.ts';

type NodeOf<Type extends Rule.Node['type']> = Extract<Rule.Node, { type: Type }>;
type Argument = NodeOf<'CallExpression'>['arguments'][number] | undefined;

/** Methods of a text that make a pattern of the text that they are given. */
const MAKE_PATTERNS: readonly string[] = ['match', 'matchAll', 'search'];

/** Every pattern is a literal that is proved to take time linear in the text: whoever writes it, the text may be anyone's. */
export const linear: Rule.RuleModule = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      slow: 'This pattern {{why}}. Use methods of strings, or a pattern that reads each character in one way only.',
      computed: 'A pattern that is computed cannot be proved linear; write it as a literal.',
    },
  },
  create(context) {
    const judge = (node: Rule.Node, source: string, flags: string): void => {
      const why = whyNotLinear(source, flags);
      if (why !== undefined) context.report({ node, messageId: 'slow', data: { why } });
    };
    const construct = (node: NodeOf<'NewExpression' | 'CallExpression'>): void => {
      const [source, flags] = node.arguments.map(textOf);
      if (source === undefined || (node.arguments.length > 1 && flags === undefined)) {
        context.report({ node, messageId: 'computed' });
      } else judge(node, source, flags ?? '');
    };
    return {
      Literal(node) {
        if ('regex' in node) judge(node, node.regex.pattern, node.regex.flags);
      },
      'NewExpression[callee.name="RegExp"]': construct,
      'CallExpression[callee.name="RegExp"]': construct,
      'CallExpression[callee.type="MemberExpression"]'(node: NodeOf<'CallExpression'>) {
        const { callee } = node;
        if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
        if (!MAKE_PATTERNS.includes(callee.property.name) || !isText(context, callee.object)) return;
        const [pattern] = node.arguments;
        if (pattern !== undefined && isText(context, pattern))
          context.report({ node, messageId: 'computed' });
      },
    };
  },
};

/** The text of a string literal, or of a template without places. */
function textOf(node: Argument): string | undefined {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  return node?.type === 'TemplateLiteral' && node.expressions.length === 0
    ? (node.quasis[0]?.value.cooked ?? undefined)
    : undefined;
}

interface TypeServices {
  readonly program?: ts.Program | null;
  readonly getTypeAtLocation?: (node: unknown) => ts.Type;
}

/** Whether an expression is a text by its type, or at least by its form where types are not known. */
function isText(context: Rule.RuleContext, node: unknown): boolean {
  const services = context.sourceCode.parserServices as TypeServices | undefined;
  if (services?.program && services.getTypeAtLocation !== undefined) {
    return (services.getTypeAtLocation(node).flags & ts.TypeFlags.StringLike) !== 0;
  }
  return textOf(node as Argument) !== undefined;
}
