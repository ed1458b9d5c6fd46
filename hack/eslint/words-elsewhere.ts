import type { Rule } from 'eslint';

/** Two words in a row, as sentences have them and names of files, keys and media types do not. */
const SENTENCE = /\p{Ll}[,;.]? \p{L}/u;
/** A word that begins a label. */
const LABEL = /^\p{Lu}\p{Ll}/u;
const LETTER = /\p{L}/u;
/** What is written like words and is not read by people: selectors, media queries, PEM headers, names of keys. */
const NOT_READ =
  /^[(\-.[]|\[|:(?:is|not)\(|, \.|^(?:AbortError|ApiError|ArrowDown|ArrowLeft|ArrowRight|ArrowUp|Enter|Escape|Files|Proc-Type:|SQLite format 3|TimeoutError)$/;

/** Attributes that are read by people, or read out to them. */
const READ = /^(?:alt|aria-description|aria-label|label|placeholder|title|titleText)$/;
/** Attributes that are not, whatever is in them. */
const UNREAD =
  /^(?:aria-(?:controls|describedby|labelledby)|class(?:Name)?|href|id|key|onOpenChangeKeys|rel|role|target|type|variant)$/;

interface Node {
  readonly type: string;
  readonly parent?: Node | null;
  readonly [field: string]: unknown;
}

/** What the pages say is in web/src/words alone, so that it can be read over, and translated. */
export const wordsElsewhere: Rule.RuleModule = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { elsewhere: 'What people read belongs into src/words: {{text}}' },
  },
  create(context) {
    const report = (node: unknown, text: string): void => {
      const data = { text: text.trim().slice(0, 40) };
      context.report({ node: node as Rule.Node, messageId: 'elsewhere', data });
    };
    const check = (node: unknown, texts: readonly string[]): void => {
      const text = texts.join('…').trim();
      if (isWords(node as Node, text, texts)) report(node, text);
    };
    return {
      JSXText: (node: unknown) => {
        const text = String((node as Node)['value']);
        if (LETTER.test(text)) report(node, text);
      },
      Literal: (node: unknown) => {
        const { value } = node as Node;
        if (typeof value === 'string') check(node, [value]);
      },
      TemplateLiteral: (node: unknown) => {
        const quasis = (node as Node)['quasis'] as readonly { readonly value: { readonly raw: string } }[];
        check(
          node,
          quasis.map(({ value }) => value.raw),
        );
      },
    };
  },
};

function isWords(node: Node, text: string, texts: readonly string[]): boolean {
  if (!texts.some((part) => LETTER.test(part)) || NOT_READ.test(text) || isUnread(node)) return false;
  if (SENTENCE.test(texts.join('a')) || LABEL.test(text)) return true;
  return isShown(node);
}

/** Where a text is no words whatever it looks like: a name, a comparison, an error that only developers see. */
function isUnread(node: Node): boolean {
  const parent = node.parent;
  switch (parent?.type) {
    case 'BinaryExpression':
      return parent['operator'] !== '+';
    case 'Property':
      return parent['key'] === node;
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ImportExpression':
    case 'SwitchCase':
    case 'TSLiteralType':
      return true;
    default:
      return ancestorsOf(node).some(isDeveloperError) || UNREAD.test(attributeOf(node) ?? '');
  }
}

function isDeveloperError(node: Node): boolean {
  return node.type === 'NewExpression' && /^(?:Type)?Error$/.test(String((node['callee'] as Node)['name']));
}

/** A result of an expression that an element shows, or that is a label. */
function isShown(node: Node): boolean {
  let at = node.parent;
  while (at?.type === 'ConditionalExpression' || at?.type === 'LogicalExpression') at = at.parent;
  if (at?.type === 'JSXAttribute') return READ.test(nameOf(at));
  if (at?.type !== 'JSXExpressionContainer') return false;
  return at.parent?.type === 'JSXAttribute' ? READ.test(nameOf(at.parent)) : true;
}

/** The nearest attribute around a text, unless an element is between them. */
function attributeOf(node: Node): string | undefined {
  const nearest = ancestorsOf(node).find(({ type }) => type === 'JSXAttribute' || type === 'JSXElement');
  return nearest?.type === 'JSXAttribute' ? nameOf(nearest) : undefined;
}

/** From the inside out. */
function ancestorsOf({ parent }: Node): readonly Node[] {
  return parent === undefined || parent === null ? [] : [parent, ...ancestorsOf(parent)];
}

function nameOf(attribute: Node): string {
  return String((attribute['name'] as Node)['name']);
}
