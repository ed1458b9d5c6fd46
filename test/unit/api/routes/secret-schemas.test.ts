import { describe, expect, it } from 'vitest';
import { createRequest, restoreRequest, updateRequest } from '../../../../src/api/routes/secret-schemas.ts';
import { isServiceError } from '../../../../src/errors/service-error.ts';

/** A body as it comes out of JSON.parse, with keys such as `__proto__` as own properties. */
const json = (text: string): unknown => JSON.parse(text);

function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (isServiceError(error, 'invalidRequest')) return error.message;
    throw error;
  }
  throw new Error('the body was taken');
}

const parseCreate = (body: unknown) => createRequest.parse(body);
const parseUpdate = (body: unknown) => updateRequest.parse(body);
const parseRestore = (body: unknown) => restoreRequest.parse(body);

const PARSERS = [
  ['create', parseCreate, { name: 'db' }],
  ['update', parseUpdate, { resourceVersion: '1' }],
  ['restore', parseRestore, { resourceVersion: '1', version: 1 }],
] as const;

describe.each(PARSERS)('the body of a %s', (_name, parse: (body: unknown) => unknown, minimal) => {
  it('is taken with what it needs', () => {
    expect(() => parse(minimal)).not.toThrow();
  });

  it.each([
    ['null', null],
    ['a list', [minimal]],
    ['a text', 'x'],
    ['a number', 1],
    ['true', true],
    ['nothing', undefined],
  ])('is not %s', (_what, body) => {
    expect(refusal(() => parse(body))).toBe('The request body must be a JSON object');
  });

  it.each(Object.keys(minimal))('needs %s', (field) => {
    const body = Object.fromEntries(Object.entries(minimal).filter(([name]) => name !== field));
    expect(refusal(() => parse(body))).toMatch(new RegExp(`^${field} is required`));
    expect(refusal(() => parse({ ...minimal, [field]: null }))).toMatch(new RegExp(`^${field} is required`));
  });

  it.each([
    'immutable',
    'labels',
    'metadata',
    'Data',
    'keepHistory',
    '__proto__',
    'constructor',
    'toString',
    'x-extra',
    '$ref',
    '_a',
    'a.b',
  ])('has no field %s', (field) => {
    const body = json(`${JSON.stringify(minimal).slice(0, -1)},${JSON.stringify(field)}:{}}`);
    expect(refusal(() => parse(body))).toBe(`Unknown field ${field}`);
  });

  it('has no field whose name could be a value, and does not repeat it', () => {
    for (const field of ['planted-4711', 'planted 4711', 'p'.repeat(65), '']) {
      expect(refusal(() => parse({ ...minimal, [field]: 'x' }))).toBe(
        'The request body has an unknown field',
      );
    }
  });

  it('has no binaryData, whatever is in it', () => {
    for (const value of [{}, null, '', { a: 'YQ==' }]) {
      expect(refusal(() => parse({ ...minimal, binaryData: value }))).toBe('binaryData is read-only');
    }
  });
});

describe('the body of a create', () => {
  it('is not searched for all that is wrong in a list: a body can hold millions', () => {
    const wrong: unknown[] = ['a', 1, 1];
    Object.defineProperty(wrong, 2, {
      get() {
        throw new Error('one wrong entry is enough');
      },
    });
    expect(refusal(() => parseCreate({ name: 'db', allowedGroups: wrong }))).toBe(
      'allowedGroups must be an array of strings',
    );
  });

  it('keeps every key of its maps', () => {
    const body = json(
      '{"name":"db","data":{"__proto__":"a","constructor":"b"},"stringData":{"toString":"c"}}',
    );
    const { data, stringData } = parseCreate(body);
    expect([...(data ?? [])]).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
    expect([...(stringData ?? [])]).toEqual([['toString', 'c']]);
  });

  it('leaves undefined what is not there', () => {
    expect(parseCreate({ name: 'db' })).toEqual({
      name: 'db',
      type: undefined,
      data: undefined,
      stringData: undefined,
      description: undefined,
      allowedGroups: undefined,
      allowedUsers: undefined,
    });
  });

  it.each<[what: string, fields: string, message: RegExp]>([
    ['a number as name', '"name":1', /^name is required and must be a string$/],
    ['null as type', '"type":null', /^type must be a string$/],
    ['a list as data', '"data":["a"]', /^data must be an object whose values are strings$/],
    ['null as data', '"data":null', /^data must be an object whose values are strings$/],
    ['a number as a value', '"data":{"a":1}', /^data must be an object/],
    ['null as a value', '"data":{"a":null}', /^data must be an object/],
    ['a number under __proto__', '"data":{"__proto__":1}', /^data must be an object/],
    ['an object under __proto__', '"stringData":{"__proto__":{}}', /^stringData must be an object/],
    ['a text as groups', '"allowedGroups":"a"', /^allowedGroups must be an array of strings$/],
    ['null as groups', '"allowedGroups":null', /^allowedGroups must be an array of strings$/],
    ['a number as a user', '"allowedUsers":["a",1]', /^allowedUsers must be an array of strings$/],
    ['an object as description', '"description":{}', /^description must be a string$/],
  ])('with %s is refused by name and rule', (_what, fields, message) => {
    const body = json(fields.startsWith('"name"') ? `{${fields}}` : `{"name":"db",${fields}}`);
    expect(refusal(() => parseCreate(body))).toMatch(message);
  });

  it('has no counter to recover and no revision', () => {
    expect(refusal(() => parseCreate({ name: 'a', recoverCounter: true }))).toBe(
      'Unknown field recoverCounter',
    );
    expect(refusal(() => parseCreate({ name: 'a', resourceVersion: '1' }))).toBe(
      'Unknown field resourceVersion',
    );
  });

  it('is refused without repeating a value', () => {
    const bodies = [
      { name: ['planted-4711'] },
      { name: 'a', data: { a: ['planted-4711'] } },
      { name: 'a', data: 'planted-4711' },
      { name: 'a', allowedUsers: [{ a: 'planted-4711' }] },
      { name: 'a', description: ['planted-4711'] },
    ];
    for (const body of bodies) expect(refusal(() => parseCreate(body))).not.toContain('planted');
  });
});

describe('the body of an update', () => {
  it('has no stringData', () => {
    for (const value of [{}, null, { a: 'b' }]) {
      const body = { resourceVersion: '1', stringData: value };
      expect(refusal(() => parseUpdate(body))).toMatch(/^stringData can only be used on create/);
    }
  });

  it('distinguishes empty from absent', () => {
    const body = json('{"resourceVersion":"1","data":{},"allowedGroups":[],"description":""}');
    expect(parseUpdate(body)).toEqual({
      resourceVersion: '1',
      data: new Map(),
      description: '',
      allowedGroups: [],
      allowedUsers: undefined,
      recoverCounter: undefined,
    });
  });

  it.each(['1', 'null', '["1"]', '{}', 'true'])('takes no %s for a resourceVersion', (value) => {
    expect(refusal(() => parseUpdate(json(`{"resourceVersion":${value}}`)))).toMatch(
      /^resourceVersion is required/,
    );
  });

  it.each(['"true"', '1', 'null', '[]'])('takes no %s for recoverCounter', (value) => {
    const body = json(`{"resourceVersion":"1","recoverCounter":${value}}`);
    expect(refusal(() => parseUpdate(body))).toBe('recoverCounter must be true or false');
  });

  it('has neither name nor type', () => {
    expect(refusal(() => parseUpdate({ resourceVersion: '1', name: 'db' }))).toBe('Unknown field name');
    expect(refusal(() => parseUpdate({ resourceVersion: '1', type: 'Opaque' }))).toBe('Unknown field type');
  });
});

describe('the body of a restore', () => {
  it('is a revision and a version', () => {
    expect(parseRestore({ resourceVersion: '1', version: 2, recoverCounter: true })).toEqual({
      resourceVersion: '1',
      version: 2,
      recoverCounter: true,
    });
  });

  it.each([0, -1, 1.5, '1', null, true, [1], 2 ** 53, Number.NaN])('takes no %j for a version', (version) => {
    expect(refusal(() => parseRestore({ resourceVersion: '1', version }))).toMatch(/^version /);
  });
});
