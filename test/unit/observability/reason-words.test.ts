import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { reasonWords } from './reason-words.ts';

const PRELUDE = `
interface ErrorDetails { readonly reason?: string }
class ServiceError {
  readonly code = 'conflict';
  readonly reason: string | undefined;
  constructor(details: ErrorDetails = {}) { this.reason = details.reason; }
}
type LogFields = Readonly<Partial<Record<'reason' | 'name', string>>>;
interface Logger { warn(event: string, fields?: LogFields): void }
declare const logger: Logger;
declare const error: ServiceError | undefined;
declare const isLate: boolean;
declare function random(): string;
new ServiceError({ reason: undefined });
`;

describe('the reasons in', () => {
  it.each([
    ['a literal', "new ServiceError({ reason: 'a' });", ['a']],
    ['a condition', "new ServiceError({ ...(isLate && { reason: isLate ? 'a' : 'b' }) });", ['a', 'b']],
    ['a constant', "const A = 'a'; new ServiceError({ reason: A });", ['a']],
    ['a text with a detail', 'new ServiceError({ reason: `a:${random()}` });', ['a']],
    [
      'the parameter of a helper',
      `const made = (why: string) => new ServiceError({ reason: why });
       made('a'); made(isLate ? 'b' : 'c:1');`,
      ['a', 'b', 'c'],
    ],
    [
      'what wraps another one',
      `function wrapped(step: string, { reason }: ErrorDetails) {
         return new ServiceError({ reason: reason === undefined ? step : \`\${step}:\${reason}\` });
       }
       wrapped('a', { reason: 'b' });`,
      ['a', 'b'],
    ],
    ['what an error has', 'new ServiceError({ reason: error?.reason ?? error?.code });', []],
    [
      'a closed type',
      `declare function find(): 'a' | 'b'; new ServiceError({ reason: find() });`,
      ['a', 'b'],
    ],
    [
      'a table',
      `const TABLE: Readonly<Record<string, string>> = { x: 'a', y: 'b' };
       new ServiceError({ reason: TABLE[random()] ?? 'c' });`,
      ['a', 'b', 'c'],
    ],
    [
      'a tuple',
      `type Verdict = readonly [code: string, reason: string];
       function judge(): Verdict { return isLate ? ['x', 'a'] : ['y', 'b']; }
       const [code, reason] = judge(); new ServiceError({ reason });`,
      ['a', 'b'],
    ],
    [
      'an error of a class of its own',
      `class Refused { readonly reason: string; constructor(reason: string) { this.reason = reason; } }
       declare const refused: Refused;
       new Refused('a'); new ServiceError({ reason: refused.reason });`,
      ['a'],
    ],
    [
      'an object of a class that extends it',
      `class Expired extends ServiceError { constructor(why: string) { super({ reason: why }); } }
       new Expired('a');`,
      ['a'],
    ],
    ['the fields of a line', "logger.warn('x', { name: 'n', reason: 'a' });", ['a']],
    [
      'fields that are passed on',
      `interface Outcome { readonly reason: string }
       function log(outcome: Outcome, fields: LogFields) { logger.warn('x', { ...fields, ...outcome }); }
       log({ reason: 'a' }, { reason: 'b' });`,
      ['a', 'b'],
    ],
    [
      'an object that becomes one of another type',
      `interface Outcome { readonly reason: string }
       function log(outcome: Outcome) { logger.warn('x', outcome); }
       const made = { reason: 'a', name: 'n' };
       log(made);`,
      ['a'],
    ],
    [
      'a call through an interface',
      `interface Port { failed(reason: string): void; note: (reason: string) => void }
       class Real implements Port {
         failed(reason: string) { logger.warn('x', { reason }); }
         note(reason: string) { logger.warn('x', { reason }); }
       }
       const port: Port = isLate ? new Real() : { failed(reason) { logger.warn('x', { reason }); }, note: () => {} };
       port.failed('a'); port.note('b');`,
      ['a', 'b'],
    ],
  ])('%s', (_where, code, words) => {
    expect(read(code)).toEqual({ words, unread: [] });
  });

  it('the line of a defect are not looked at', () => {
    expect(read("logger.warn('unexpected error', { reason: random() });")).toEqual({ words: [], unread: [] });
  });

  it('what cannot be followed are reported', () => {
    expect(read('new ServiceError({ reason: random() });').unread).toEqual([
      'declare function random(): string; in src/a.ts',
    ]);
    expect(read("new ServiceError({ reason: ['a', 'b'].join() });").unread).toHaveLength(1);
    expect(read('export const make = (why: string) => new ServiceError({ reason: why });').unread).toEqual([
      'why: string in src/a.ts',
    ]);
  });
});

function read(code: string) {
  const file = ts.createSourceFile(
    '/src/a.ts',
    `${PRELUDE}${code}\nexport {};`,
    ts.ScriptTarget.ES2024,
    true,
  );
  const host: ts.CompilerHost = {
    ...ts.createCompilerHost({}),
    getSourceFile: (name) => (name === file.fileName ? file : undefined),
  };
  const program = ts.createProgram([file.fileName], { strict: true, noLib: true, types: [] }, host);
  const { words, unread } = reasonWords(program, '/src');
  return { words: [...words].toSorted(), unread: [...unread] };
}
