import { sep } from 'node:path';
import ts from 'typescript';
import {
  elementsOf,
  isMemberOf,
  membersOf,
  nameOf,
  propertiesOf,
  REASON,
  ValueFlow,
  type Slot,
  type Source,
} from './value-flow.ts';

/**
 * The reasons that log lines can have, read from the sources: the texts that can reach the `reason` of a ServiceError or
 * of a line. They are followed backwards from there, through variables, arguments, results and properties, so it does not
 * matter in which file and by which helper they are made.
 */
export interface ReasonWords {
  /** Without the detail that may follow a colon. */
  readonly words: ReadonlySet<string>;
  /** Expressions whose texts cannot be read. */
  readonly unread: ReadonlySet<string>;
}

/** @param root the folder of the sources */
export function reasonWords(program: ts.Program, root: string): ReasonWords {
  const checker = program.getTypeChecker();
  const flow = new ValueFlow(checker);
  for (const file of program.getSourceFiles()) if (file.fileName.startsWith(root + sep)) flow.add(file);
  const reader = new ReasonReader(checker, flow);
  for (const end of flow.ends) reader.read(end);
  return reader;
}

/** Reads the texts at the ends of the flow, each expression and declaration once. */
class ReasonReader implements ReasonWords {
  readonly words = new Set<string>();
  readonly unread = new Set<string>();
  readonly #checker: ts.TypeChecker;
  readonly #flow: ValueFlow;
  readonly #seen = new Map<ts.Node, (string | undefined)[]>();

  constructor(checker: ts.TypeChecker, flow: ValueFlow) {
    this.#checker = checker;
    this.#flow = flow;
  }

  read({ from, property }: Source): void {
    const seen = this.#seen.get(from) ?? [];
    if (seen.includes(property)) return;
    this.#seen.set(from, [...seen, property]);
    if (!ts.isExpression(from)) this.#readSlot(from, property);
    else if (property === undefined) this.#readText(from);
    else this.#readObject(from, property);
  }

  #readText(expression: ts.Expression): void {
    const parts = partsOf(expression);
    if (parts !== undefined) {
      for (const from of parts) this.read({ from });
      return;
    }
    // An error without a reason of its own is named by its code.
    if (ts.isPropertyAccessExpression(expression) && expression.name.text === 'code') return;
    const texts = textsOf(this.#checker.getTypeAtLocation(expression));
    if (texts !== undefined) this.#addWords(texts);
    else if (ts.isTemplateExpression(expression)) this.#readTemplate(expression);
    else this.#follow(expression);
  }

  #addWords(texts: readonly string[]): void {
    for (const text of texts) this.words.add(text.split(':', 1)[0] ?? '');
  }

  /** The word stands before the first colon. A detail that is called a reason is one. */
  #readTemplate({ head, templateSpans }: ts.TemplateExpression): void {
    const [first] = templateSpans;
    if (head.text !== '') this.#addWords([head.text]);
    else if (first !== undefined) this.read({ from: first.expression });
    for (const { expression } of templateSpans) {
      const parts = partsOf(expression) ?? [expression];
      if (parts.some((part) => part.getText().endsWith(REASON))) this.read({ from: expression });
    }
  }

  #readObject(expression: ts.Expression, property: string): void {
    const parts = partsOf(expression);
    if (parts !== undefined) {
      for (const from of parts) this.read({ from, property });
    } else if (ts.isObjectLiteralExpression(expression)) {
      for (const part of expression.properties) {
        if (ts.isSpreadAssignment(part)) this.read({ from: part.expression, property });
        else if (nameOf(part) === property) this.read({ from: part });
      }
    } else {
      const slots = propertiesOf(this.#checker, this.#checker.getTypeAtLocation(expression), property);
      for (const from of slots) this.read({ from });
      if (slots.length === 0) this.#follow(expression, property);
    }
  }

  #follow(expression: ts.Expression, property?: string): void {
    const slots = this.#slotsOf(expression);
    for (const from of slots) this.read({ from, ...(property !== undefined && { property }) });
    if (slots.length === 0 && property === undefined) this.#cannotRead(expression);
  }

  /** Where an expression has its value from. */
  #slotsOf(expression: ts.Expression): readonly Slot[] {
    if (ts.isCallExpression(expression)) {
      const { declaration } = this.#checker.getResolvedSignature(expression) ?? {};
      return declaration === undefined ? [] : [declaration];
    }
    if (ts.isElementAccessExpression(expression)) return this.#entriesOf(expression.expression);
    if (ts.isPropertyAccessExpression(expression)) {
      const type = this.#checker.getTypeAtLocation(expression.expression);
      return propertiesOf(this.#checker, type, expression.name.text);
    }
    const isShorthand = ts.isShorthandPropertyAssignment(expression.parent);
    const symbol = isShorthand
      ? this.#checker.getShorthandAssignmentValueSymbol(expression.parent)
      : this.#checker.getSymbolAtLocation(expression);
    const isImported = symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0;
    return (isImported ? this.#checker.getAliasedSymbol(symbol) : symbol)?.declarations ?? [];
  }

  /** All entries of a constant table. */
  #entriesOf(table: ts.Expression): readonly Slot[] {
    const [declaration] = this.#slotsOf(table);
    if (declaration === undefined || !ts.isVariableDeclaration(declaration)) return [];
    const [value = declaration.initializer] = partsOf(declaration.initializer) ?? [];
    return value !== undefined && ts.isObjectLiteralExpression(value) ? value.properties : [];
  }

  #readSlot(slot: Slot, property: string | undefined): void {
    if (isMemberOf(slot, 'ServiceError')) return; // Read already where it is given to the constructor.
    if (ts.isBindingElement(slot)) {
      this.#readBinding(slot, property);
      return;
    }
    const sources = this.#flow.of(slot) ?? [];
    for (const source of sources) this.read(property === undefined ? source : { ...source, property });
    if (sources.length === 0 && property === undefined) this.#cannotRead(slot);
  }

  #readBinding(slot: ts.BindingElement, property: string | undefined): void {
    const pattern = slot.parent;
    if (slot.initializer !== undefined) this.read({ from: slot.initializer });
    const of = ts.isVariableDeclaration(pattern.parent) ? pattern.parent.initializer : pattern.parent;
    const type = this.#checker.getTypeAtLocation(of ?? pattern);
    const slots = ts.isArrayBindingPattern(pattern)
      ? elementsOf(this.#checker, type, pattern.elements.indexOf(slot))
      : propertiesOf(this.#checker, type, (slot.propertyName ?? slot.name).getText());
    for (const from of slots) this.read({ from, ...(property !== undefined && { property }) });
    if (slots.length === 0 && property === undefined) this.#cannotRead(slot);
  }

  #cannotRead(node: ts.Node): void {
    const { fileName } = node.getSourceFile();
    this.unread.add(`${node.getText()} in ${fileName.slice(fileName.indexOf('/src/') + 1)}`);
  }
}

/** The expressions of which one is the value; undefined if it is this one. */
function partsOf(expression: ts.Expression | undefined): readonly ts.Expression[] | undefined {
  if (expression === undefined) return [];
  if (ts.isConditionalExpression(expression)) return [expression.whenTrue, expression.whenFalse];
  if (ts.isIdentifier(expression) && expression.text === 'undefined') return [];
  if (
    ts.isParenthesizedExpression(expression) ||
    ts.isAsExpression(expression) ||
    ts.isSatisfiesExpression(expression) ||
    ts.isAwaitExpression(expression)
  )
    return [expression.expression];
  if (!ts.isBinaryExpression(expression)) return undefined;
  switch (expression.operatorToken.kind) {
    case ts.SyntaxKind.QuestionQuestionToken:
    case ts.SyntaxKind.BarBarToken:
      return [expression.left, expression.right];
    case ts.SyntaxKind.AmpersandAmpersandToken:
      return [expression.right];
    default:
      return undefined;
  }
}

/** The texts of a type that has no others. */
function textsOf(type: ts.Type): readonly string[] | undefined {
  const texts = membersOf(type).filter(({ flags }) => (flags & ts.TypeFlags.Undefined) === 0);
  return texts.every((member) => member.isStringLiteral()) ? texts.map(({ value }) => value) : undefined;
}
