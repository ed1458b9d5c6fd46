import { whyNotLinear } from '../linear-regex/why-not-linear.ts';
import type { Context, NodeOf, Rule, Scope } from './rule.ts';

type Invocation = NodeOf<'CallExpression'> | NodeOf<'NewExpression'>;
type Argument = Invocation['arguments'][number];

/** Methods of a text that make a pattern of a text that they are given. */
const MAKE_PATTERNS: readonly string[] = ['match', 'matchAll', 'search'];

/** Every pattern is a literal that is proved to take time linear in the text: whoever writes it, the text may be anyone's. */
export const linearPattern: Rule = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      slow: 'This pattern {{why}}. Use methods of strings, or a pattern that reads each character in one way only.',
      computed:
        'A pattern that is computed cannot be proved linear; write it as a literal, or as a constant of this file.',
    },
  },
  create(context) {
    const judge = (node: Argument | Invocation, source: string, flags: string): void => {
      const why = whyNotLinear(source, flags);
      if (why !== undefined) context.report({ node, messageId: 'slow', data: { why } });
    };
    const construct = (node: Invocation): void => {
      if (node.callee.type !== 'Identifier' || node.callee.name !== 'RegExp') return;
      const [source, flags] = node.arguments.map(textOf);
      if (source === undefined || (node.arguments.length > 1 && flags === undefined)) {
        context.report({ node, messageId: 'computed' });
      } else judge(node, source, flags ?? '');
    };
    return {
      Literal(node) {
        if ('regex' in node) judge(node, node.regex.pattern, node.regex.flags);
      },
      NewExpression: construct,
      CallExpression(node) {
        construct(node);
        const [pattern, ...rest] = node.arguments;
        if (pattern === undefined || rest.length > 0 || !isMatching(node)) return;
        if (!isPattern(context, pattern)) context.report({ node, messageId: 'computed' });
      },
    };
  },
};

/** `text.match(…)` and the like, by their form: what else has such a method takes more than one argument. */
function isMatching({ callee }: NodeOf<'CallExpression'>): boolean {
  return (
    callee.type === 'MemberExpression' &&
    callee.property.type === 'Identifier' &&
    MAKE_PATTERNS.includes(callee.property.name)
  );
}

/** A literal, or a constant of the file that has one for its value: these are judged where they stand. */
function isPattern(context: Context, node: Argument): boolean {
  if (node.type === 'Literal') return 'regex' in node;
  if (node.type !== 'Identifier') return false;
  let scope: Scope | null = context.sourceCode.getScope(node);
  for (; scope !== null; scope = scope.upper) {
    const variable = scope.set.get(node.name);
    if (variable === undefined) continue;
    const [definition, ...others] = variable.defs;
    const declared = definition?.node;
    return (
      others.length === 0 &&
      declared?.type === 'VariableDeclarator' &&
      declared.parent.type === 'VariableDeclaration' &&
      declared.parent.kind === 'const' &&
      declared.init?.type === 'Literal' &&
      'regex' in declared.init
    );
  }
  return false;
}

/** The text of a string literal, or of a template without places. */
function textOf(node: Argument): string | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  return node.type === 'TemplateLiteral' && node.expressions.length === 0
    ? (node.quasis[0]?.value.cooked ?? undefined)
    : undefined;
}
