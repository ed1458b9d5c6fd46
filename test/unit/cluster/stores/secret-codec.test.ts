import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeSecret, encodeDraft, encodeReplacement } from '../../../../src/cluster/stores/secret-codec.ts';
import type { SecretDraft } from '../../../../src/kube/secret.ts';
import { codec } from '../../../fakes/annotations.ts';

/** As it comes from the wire, so that `__proto__` is an own property. */
function nativeOf(json: string): unknown {
  return JSON.parse(json) as unknown;
}

const METADATA = `"name":"a","namespace":"team-a","uid":"u-1","resourceVersion":"7","creationTimestamp":"2026-01-01T00:00:00Z"`;

function secretJson(fields: string, metadata = ''): string {
  return `{"kind":"Secret","apiVersion":"v1","metadata":{${METADATA}${metadata}}${fields}}`;
}

const HAZARDS = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'a', 'A.b-c_9', '-', '.x'];
const data = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...HAZARDS), fc.uint8Array({ maxLength: 300 })), {
    selector: ([key]) => key,
  })
  .map((entries) => new Map(entries));

function draftOf(values: ReadonlyMap<string, Uint8Array>): SecretDraft {
  const labels = new Map([['__proto__', 'l']]);
  return { namespace: 'team-a', name: 'a', type: 't', labels, annotations: new Map(), data: values };
}

describe('decodeSecret', () => {
  it('reads every field', () => {
    const json = secretJson(
      ',"type":"custom","immutable":true,"data":{"x":"b25l","empty":"","none":null}',
      ',"deletionTimestamp":"2026-02-01T00:00:00Z","labels":{"l":"1"},"annotations":{"__proto__":"p"}',
    );
    const native = nativeOf(json);
    expect(decodeSecret(native, { namespace: 'team-a', name: 'a' }, codec)).toEqual({
      namespace: 'team-a',
      name: 'a',
      uid: 'u-1',
      resourceVersion: '7',
      type: 'custom',
      immutable: true,
      creationTimestamp: '2026-01-01T00:00:00Z',
      deletionTimestamp: '2026-02-01T00:00:00Z',
      controllerOwner: undefined,
      labels: new Map([['l', '1']]),
      annotations: new Map([['__proto__', 'p']]),
      managed: codec.parse({ labels: new Map(), annotations: new Map() }),
      data: new Map<string, Uint8Array>([
        ['x', Buffer.from('one')],
        ['empty', Buffer.alloc(0)],
        ['none', new Uint8Array()],
      ]),
      native,
    });
  });

  it.each<[what: string, references: string, owner: object | undefined]>([
    [
      'the controller',
      '[{"kind":"A","name":"a"},{"kind":"B","name":"b","controller":true}]',
      { kind: 'B', name: 'b' },
    ],
    ['a controller without a name', '[{"kind":"B","controller":true}]', { kind: 'B' }],
    ['no controller', '[{"kind":"A","name":"a","controller":false}]', undefined],
    ['a controller without a kind', '[{"name":"b","controller":true}]', undefined],
    ['nothing usable', '[null,7,{"controller":"true","kind":"B"}]', undefined],
    ['no list', '{"controller":true,"kind":"B"}', undefined],
  ])('reads of the owner references %s', (_what, references, owner) => {
    const native = nativeOf(secretJson('', `,"ownerReferences":${references}`));
    expect(decodeSecret(native, {}, codec).controllerOwner).toEqual(owner);
  });

  it('reads what is absent as empty, mutable and Opaque', () => {
    for (const fields of ['', ',"data":null,"immutable":null,"type":null', ',"data":{}']) {
      const secret = decodeSecret(nativeOf(secretJson(fields)), {}, codec);
      expect(secret).toMatchObject({ type: 'Opaque', immutable: false, deletionTimestamp: undefined });
      expect([secret.data.size, secret.labels.size, secret.annotations.size]).toEqual([0, 0, 0]);
    }
  });

  it('reads the items of a list, which carry no kind', () => {
    expect(decodeSecret(nativeOf(`{"metadata":{${METADATA}}}`), { namespace: 'team-a' }, codec).name).toBe(
      'a',
    );
  });

  it('gives back the values that a draft put in, under any key', () => {
    fc.assert(
      fc.property(data, (values) => {
        const native = nativeOf(JSON.stringify(encodeDraft(draftOf(values))));
        const metadata = nativeOf(`{${METADATA}}`);
        const { data: decoded } = decodeSecret({ ...(native as object), metadata }, {}, codec);
        expect(textsOf(decoded)).toEqual(textsOf(values));
      }),
    );
  });

  it.each([
    ['null', 'null'],
    ['a list', '[]'],
    ['a text', '"Secret"'],
    ['another kind', `{"kind":"ConfigMap","metadata":{${METADATA}}}`],
    ['no metadata', '{"kind":"Secret"}'],
    ['metadata that is inherited', `{"__proto__":{"metadata":{${METADATA}}}}`],
    [
      'no uid',
      '{"metadata":{"name":"a","namespace":"team-a","resourceVersion":"7","creationTimestamp":"t"}}',
    ],
    ['an empty revision', `{"metadata":{${METADATA},"resourceVersion":""}}`],
    ['data that is a list', secretJson(',"data":[]')],
    ['data that is a text', secretJson(',"data":"x"')],
    ['a value that is a number', secretJson(',"data":{"x":1}')],
    ['a value that is not base64', secretJson(',"data":{"x":"a b="}')],
    ['a value that is cut', secretJson(',"data":{"x":"YQ"}')],
    ['a value in the URL alphabet', secretJson(',"data":{"x":"_-8="}')],
    ['immutable that is a text', secretJson(',"immutable":"true"')],
    ['a type that is a number', secretJson(',"type":1')],
    ['labels that are a list', secretJson('', ',"labels":[]')],
    ['an annotation that is a number', secretJson('', ',"annotations":{"a":1}')],
    ['a deletion time that is a number', secretJson('', ',"deletionTimestamp":1')],
  ])('takes %s for no answer at all', (_what, json) => {
    expect(() => decodeSecret(nativeOf(json), {}, codec)).toThrow(
      expect.objectContaining({ code: 'unavailable', reason: 'malformedSecret' }),
    );
  });

  it.each([{ name: 'b' }, { namespace: 'team-b' }])(
    'refuses an object that was not requested: %j',
    (expected) => {
      expect(() => decodeSecret(nativeOf(secretJson('')), expected, codec)).toThrow(
        expect.objectContaining({ code: 'unavailable', reason: 'unexpectedSecret' }),
      );
    },
  );
});

describe('encodeReplacement', () => {
  const json = secretJson(
    ',"type":"custom","immutable":true,"data":{"__proto__":"cA==","x":"b25l"},"stringData":{"x":"other"},"future":{"__proto__":1}',
    ',"finalizers":["service.io/hold"],"ownerReferences":[{"uid":"o"}],"managedFields":[{"manager":"m"}],"annotations":{"old":"1"},"labels":{"l":"1"}',
  );
  const current = decodeSecret(nativeOf(json), {}, codec);
  const send = (change: Parameters<typeof encodeReplacement>[1]) =>
    JSON.stringify(encodeReplacement(current, change));

  it('sends the raw object back with other annotations, its stored values to the letter', () => {
    expect(send({ annotations: new Map([['__proto__', 'new']]) })).toBe(
      JSON.stringify(
        nativeOf(
          json
            .replace('"annotations":{"old":"1"},"labels"', '"annotations":{"__proto__":"new"},"labels"')
            .replace('"stringData":{"x":"other"},', ''),
        ),
      ).replace('{"kind":"Secret","apiVersion":"v1"', '{"apiVersion":"v1","kind":"Secret"'),
    );
  });

  it('replaces all values', () => {
    const sent = nativeOf(send({ annotations: new Map(), data: new Map([['__proto__', Buffer.from('q')]]) }));
    expect(sent).toHaveProperty('data', nativeOf('{"__proto__":"cQ=="}'));
    expect(sent).toHaveProperty('metadata.annotations', {});
    expect(sent).toHaveProperty('immutable', true);
  });

  it('carries the uid and the revision that were read', () => {
    const sent = encodeReplacement(
      { ...current, uid: 'u-2', resourceVersion: '8' },
      { annotations: new Map() },
    );
    expect(sent).toMatchObject({ metadata: { uid: 'u-2', resourceVersion: '8' } });
  });

  it('names the kind of an object that a list gave', () => {
    const listed = decodeSecret(nativeOf(`{"metadata":{${METADATA}}}`), {}, codec);
    expect(encodeReplacement(listed, { annotations: new Map() })).toMatchObject({
      apiVersion: 'v1',
      kind: 'Secret',
    });
  });

  it('refuses an object that no store has read', () => {
    expect(() => encodeReplacement({ ...current, native: undefined }, { annotations: new Map() })).toThrow(
      expect.objectContaining({ code: 'unavailable' }),
    );
  });
});

describe('encodeDraft', () => {
  it('sends every field, and immutable only when it is set', () => {
    const draft = draftOf(new Map([['x', Buffer.from('one')]]));
    expect(encodeDraft(draft)).toEqual({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace: 'team-a', name: 'a', labels: nativeOf('{"__proto__":"l"}'), annotations: {} },
      type: 't',
      data: { x: 'b25l' },
    });
    expect(encodeDraft({ ...draft, immutable: true })).toHaveProperty('immutable', true);
  });

  it('encodes a view into a larger buffer without what is around it', () => {
    const view = Buffer.from('xxonexx').subarray(2, 5);
    expect(encodeDraft(draftOf(new Map([['x', view]])))).toHaveProperty('data', { x: 'b25l' });
  });
});

function textsOf(values: ReadonlyMap<string, Uint8Array>): Map<string, string> {
  return new Map([...values].map(([key, value]) => [key, Buffer.from(value).toString('hex')]));
}
