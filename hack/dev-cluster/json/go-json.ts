/**
 * Returns the error that Go's encoding/json reports for a text. The cluster validates Docker configurations with it
 * and quotes its words, so a development cluster that used JSON.parse's would answer differently.
 */
const MAX_DEPTH = 10_000;
const END = 'unexpected end of JSON input';

class Problem extends Error {}

/** The error that Go's decoder reports for these bytes, or undefined when they are one JSON value. */
export function goJsonProblem(bytes: Buffer): string | undefined {
  const scanner = new Scanner(bytes.toString('latin1'));
  try {
    scanner.document();
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error.message;
    throw error;
  }
}

class Scanner {
  #at = 0;
  /** The objects and arrays that are still open. */
  readonly #open: string[] = [];
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  document(): void {
    do this.#value();
    while (this.#anotherFollows());
  }

  /** Reads on to the end of the next value that holds no others. Nesting is kept in a list: it may be deep. */
  #value(): void {
    for (;;) {
      this.#space();
      const character = this.#peek();
      if (character !== '{' && character !== '[') {
        this.#scalar(character);
        return;
      }
      this.#open.push(character);
      if (this.#open.length > MAX_DEPTH) throw new Problem('exceeded max depth');
      this.#at++;
      this.#space();
      if (this.#closes(character)) return;
      if (character === '{') this.#key();
    }
  }

  /** After a value: closes what ends here, and returns whether another value must follow. */
  #anotherFollows(): boolean {
    for (;;) {
      this.#space();
      const holder = this.#open.at(-1);
      if (holder === undefined) {
        if (this.#at < this.#text.length) this.#fail('after top-level value');
        return false;
      }
      if (this.#closes(holder)) continue;
      if (!this.#take(',')) {
        this.#fail(holder === '{' ? 'after object key:value pair' : 'after array element');
      }
      if (holder === '{') this.#key();
      return true;
    }
  }

  #closes(holder: string): boolean {
    if (!this.#take(holder === '{' ? '}' : ']')) return false;
    this.#open.pop();
    return true;
  }

  #key(): void {
    this.#space();
    if (this.#peek() !== '"') this.#fail('looking for beginning of object key string');
    this.#string();
    this.#space();
    if (!this.#take(':')) this.#fail('after object key');
  }

  #scalar(character: string): void {
    if (character === '"') this.#string();
    else if (/[-\d]/.test(character)) this.#number();
    else this.#literal(character);
  }

  #string(): void {
    this.#at++;
    for (;;) {
      this.#skip(/[ !#-[\]-\xff]*/y);
      if (this.#take('"')) return;
      if (!this.#take('\\')) this.#fail('in string literal');
      if (!this.#take('u')) this.#need(/["\\/bfnrt]/y, 'in string escape code');
      else
        for (let digit = 0; digit < 4; digit++)
          this.#need(/[\da-fA-F]/y, 'in \\u hexadecimal character escape');
    }
  }

  #number(): void {
    this.#take('-');
    this.#need(/0|[1-9]\d*/y, 'in numeric literal');
    if (this.#take('.')) this.#need(/\d+/y, 'after decimal point in numeric literal');
    if (this.#skip(/[eE][+-]?/y)) this.#need(/\d+/y, 'in exponent of numeric literal');
  }

  #literal(first: string): void {
    const word = ['true', 'false', 'null'].find((candidate) => candidate.startsWith(first));
    if (word === undefined) this.#fail('looking for beginning of value');
    for (const expected of word) {
      if (!this.#take(expected)) this.#fail(`in literal ${word} (expecting '${expected}')`);
    }
  }

  #space(): void {
    this.#skip(/[ \t\r\n]*/y);
  }

  #take(character: string): boolean {
    if (this.#text.charAt(this.#at) !== character) return false;
    this.#at++;
    return true;
  }

  #need(pattern: RegExp, context: string): void {
    if (!this.#skip(pattern)) this.#fail(context);
  }

  /** Moves on past what a sticky pattern matches here. */
  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    this.#at += found?.[0].length ?? 0;
    return found !== null;
  }

  #peek(): string {
    if (this.#at >= this.#text.length) throw new Problem(END);
    return this.#text.charAt(this.#at);
  }

  #fail(context: string): never {
    throw new Problem(`invalid character ${quoted(this.#peek())} ${context}`);
  }
}

/** Go's strconv quoting of one byte, in single quotes. */
function quoted(character: string): string {
  if (character === "'") return String.raw`'\''`;
  if (character === '"') return `'"'`;
  const text = JSON.stringify(character).slice(1, -1);
  const escaped = text.replace(/^\\u00([0-9a-f]{2})$/, String.raw`\x$1`);
  return `'${escaped}'`;
}
