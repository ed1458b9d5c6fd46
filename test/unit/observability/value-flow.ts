import ts from 'typescript';

/** A declaration that keeps a value: of a variable, a parameter, a property, an element of a tuple; a function for its result. */
export type Slot = ts.Node;

export interface Source {
  readonly from: ts.Expression | Slot;
  /** The value is this property of it. */
  readonly property?: string;
}

export const REASON = 'reason';
/** The line of a defect has a place in the code as its reason. */
const DEFECT = 'unexpected error';

/** What each declaration can be given. */
export class ValueFlow {
  /** Where reasons are written: the `reason` of ErrorDetails, and the fields of log lines. */
  readonly ends: Source[] = [];
  readonly #checker: ts.TypeChecker;
  readonly #sources = new Map<Slot, Source[]>();

  constructor(checker: ts.TypeChecker) {
    this.#checker = checker;
  }

  of(slot: Slot): readonly Source[] | undefined {
    return this.#sources.get(slot);
  }

  add(node: ts.Node): void {
    if (ts.isObjectLiteralExpression(node)) this.#addProperties(node);
    else if (ts.isArrayLiteralExpression(node)) this.#addElements(node);
    else if (ts.isCallExpression(node) || ts.isNewExpression(node)) this.#addArguments(node);
    else if (ts.isArrowFunction(node) || ts.isMethodDeclaration(node)) this.#addFunction(node);
    else if (ts.isReturnStatement(node))
      this.#give(ts.findAncestor(node, ts.isFunctionLike), node.expression);
    else if (ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node) || ts.isParameter(node))
      this.#give(node, node.initializer);
    else if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
      for (const slot of this.#checker.getSymbolAtLocation(node.left)?.declarations ?? [])
        this.#give(slot, node.right);
    } else if (ts.isPropertySignature(node) && isMemberOf(node, 'ErrorDetails') && nameOf(node) === REASON)
      this.ends.push({ from: node });
    ts.forEachChild(node, (child) => {
      this.add(child);
    });
  }

  #give(slot: Slot | undefined, from: ts.Expression | Slot | undefined, property?: string): void {
    if (slot === undefined || from === undefined) return;
    const source = property === undefined ? { from } : { from, property };
    const sources = this.#sources.get(slot);
    if (sources === undefined) this.#sources.set(slot, [source]);
    else sources.push(source);
    // An object that was made as one type and is passed on as another.
    if (property === undefined && ts.isExpression(from) && !ts.isObjectLiteralExpression(from))
      this.#giveReasonOf(from);
  }

  #giveReasonOf(from: ts.Expression): void {
    const slots = propertiesOf(this.#checker, this.#checker.getContextualType(from), REASON);
    for (const slot of slots) this.#give(slot, from, REASON);
  }

  #addProperties(node: ts.ObjectLiteralExpression): void {
    const type = this.#checker.getContextualType(node);
    for (const property of node.properties) {
      if (ts.isPropertyAssignment(property) || ts.isShorthandPropertyAssignment(property)) {
        const value = ts.isPropertyAssignment(property) ? property.initializer : property.name;
        const slots = propertiesOf(this.#checker, type, property.name.getText());
        for (const slot of [property, ...slots]) this.#give(slot, value);
      } else if (ts.isSpreadAssignment(property)) {
        for (const slot of propertiesOf(this.#checker, type, REASON))
          this.#give(slot, property.expression, REASON);
      }
    }
  }

  #addElements(node: ts.ArrayLiteralExpression): void {
    for (const [index, element] of node.elements.entries()) {
      for (const slot of elementsOf(this.#checker, this.#checker.getContextualType(node), index))
        this.#give(slot, element);
    }
  }

  #addArguments(node: ts.CallExpression | ts.NewExpression): void {
    const called = this.#checker.getResolvedSignature(node)?.declaration;
    const given = node.arguments ?? [];
    for (const [index, argument] of given.entries()) this.#give(called?.parameters[index], argument);
    // Its methods are declared by its parent type, which is written in its own declaration.
    const isOfLogger = (node: ts.Node) => ts.isInterfaceDeclaration(node) && node.name.text === 'Logger';
    if (ts.findAncestor(called, isOfLogger) === undefined) return;
    const [event, fields] = given;
    const isDefect = event !== undefined && ts.isStringLiteral(event) && event.text === DEFECT;
    if (fields !== undefined && !isDefect) this.ends.push({ from: fields, property: REASON });
  }

  #addFunction(node: ts.ArrowFunction | ts.MethodDeclaration): void {
    if (node.body !== undefined && !ts.isBlock(node.body)) this.#give(node, node.body);
    for (const type of this.#typesAbove(node)) {
      for (const { declaration } of type.getCallSignatures()) {
        // What is called by its type is called with the same, and what it returns is what the type returns.
        this.#give(declaration, node);
        for (const [index, parameter] of node.parameters.entries())
          this.#give(parameter, declaration?.parameters[index]);
      }
    }
  }

  /** The types by which a function is called: where it is passed on, or as a member of an interface. */
  #typesAbove(node: ts.ArrowFunction | ts.MethodDeclaration): readonly ts.Type[] {
    if (ts.isArrowFunction(node)) return membersOf(this.#checker.getContextualType(node));
    const { parent, name } = node;
    const owners = ts.isClassLike(parent)
      ? (parent.heritageClauses ?? []).flatMap(({ types }) =>
          types.map((type) => this.#checker.getTypeAtLocation(type)),
        )
      : membersOf(ts.isObjectLiteralExpression(parent) ? this.#checker.getContextualType(parent) : undefined);
    return owners.flatMap((owner) => {
      const member = this.#checker.getPropertyOfType(owner, name.getText());
      return member === undefined ? [] : membersOf(this.#checker.getTypeOfSymbol(member));
    });
  }
}

/** The types of a union, or the one. */
export function membersOf(type: ts.Type | undefined): readonly ts.Type[] {
  if (type === undefined) return [];
  return type.isUnion() ? type.types : [type];
}

/** The declarations of a property. */
export function propertiesOf(
  checker: ts.TypeChecker,
  type: ts.Type | undefined,
  name: string,
): readonly Slot[] {
  return membersOf(type).flatMap((member) => checker.getPropertyOfType(member, name)?.declarations ?? []);
}

/** The declarations of an element of labelled tuples. */
export function elementsOf(
  checker: ts.TypeChecker,
  type: ts.Type | undefined,
  index: number,
): readonly Slot[] {
  return membersOf(type).flatMap((member) => {
    if (!checker.isTupleType(member)) return [];
    return (member as ts.TupleTypeReference).target.labeledElementDeclarations?.[index] ?? [];
  });
}

export function isMemberOf({ parent }: ts.Node, name: string): boolean {
  return (ts.isInterfaceDeclaration(parent) || ts.isClassDeclaration(parent)) && parent.name?.text === name;
}

export function nameOf({ name }: ts.ObjectLiteralElementLike | ts.PropertySignature): string | undefined {
  return name?.getText();
}
