import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../../hack/dev-cluster/api/status.ts';
import { decodeProtobuf } from '../../../../hack/dev-cluster/protobuf/decode.ts';

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  return Buffer.from([...bytes, rest]);
}
const bytes = (number: number, value: string | Buffer): Buffer =>
  Buffer.concat([varint(number * 8 + 2), varint(Buffer.byteLength(value)), Buffer.from(value)]);
const number = (field: number, value: number): Buffer => Buffer.concat([varint(field * 8), varint(value)]);
const entry = (field: number, key: string, value: string | Buffer): Buffer =>
  bytes(field, Buffer.concat([bytes(1, key), bytes(2, value)]));

const MAGIC = Buffer.from('k8s\0');
const object = (apiVersion: string, kind: string, ...fields: Buffer[]): Buffer =>
  Buffer.concat([
    MAGIC,
    bytes(1, Buffer.concat([bytes(1, apiVersion), bytes(2, kind)])),
    bytes(2, Buffer.concat(fields)),
    bytes(3, ''),
    bytes(4, ''),
  ]);
const codeOf = (body: Buffer): number => {
  try {
    decodeProtobuf(body);
    return 200;
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
};

describe('an object in protobuf', () => {
  it('has what its JSON would have: texts, bytes in base64, maps, lists, times, and nothing that is not set', () => {
    const time = number(1, 1_700_000_000);
    const owner = Buffer.concat([bytes(1, 'Kind'), bytes(3, 'owner'), bytes(4, 'u'), number(6, 1)]);
    const metadata = Buffer.concat([
      ...[bytes(1, 'name'), bytes(2, ''), bytes(3, 'home'), bytes(8, time), bytes(9, '')],
      ...[entry(11, 'a', '1'), entry(11, 'b', ''), bytes(13, owner), bytes(14, 'f/1'), bytes(14, 'f/2')],
    ]);
    const secret = object(
      'v1',
      'Secret',
      bytes(1, metadata),
      entry(2, 'binary', Buffer.from([0xff, 0])),
      bytes(3, 'Opaque'),
      number(5, 1),
    );
    expect(decodeProtobuf(secret)).toEqual({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        name: 'name',
        namespace: 'home',
        creationTimestamp: '2023-11-14T22:13:20Z',
        labels: { a: '1', b: '' },
        ownerReferences: [{ kind: 'Kind', name: 'owner', uid: 'u', controller: true }],
        finalizers: ['f/1', 'f/2'],
      },
      data: { binary: '/wA=' },
      type: 'Opaque',
      immutable: true,
    });
  });

  it('is a Deployment as kubectl makes it', () => {
    const labels = entry(1, 'app', 'd');
    const port = Buffer.concat([number(3, 80), bytes(4, '')]);
    const container = Buffer.concat([
      bytes(1, 'c'),
      bytes(2, 'image'),
      bytes(3, 'sleep'),
      bytes(6, port),
      bytes(8, ''),
    ]);
    const template = bytes(3, bytes(2, Buffer.concat([bytes(2, container), bytes(3, '')])));
    const spec = bytes(2, Buffer.concat([number(1, 2), bytes(2, labels), template, bytes(4, '')]));
    expect(decodeProtobuf(object('apps/v1', 'Deployment', spec))).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      spec: {
        replicas: 2,
        selector: { matchLabels: { app: 'd' } },
        template: {
          spec: {
            containers: [{ name: 'c', image: 'image', command: ['sleep'], ports: [{ containerPort: 80 }] }],
          },
        },
      },
    });
  });

  it('may have any key in a map, and fields that are not known here', () => {
    const config = object('v1', 'ConfigMap', entry(2, '__proto__', 'x'), bytes(99, 'later'), number(98, 1));
    expect(Object.entries(decodeProtobuf(config)['data'] ?? {})).toEqual([['__proto__', 'x']]);
  });

  it('with a hundred thousand entries is read in time that grows with their number', () => {
    const entries = Array.from({ length: 100_000 }, (_, index) => entry(2, `k${index}`, ''));
    expect(Object.keys(decodeProtobuf(object('v1', 'ConfigMap', ...entries))['data'] ?? {})).toHaveLength(
      100_000,
    );
  });

  it('of a kind that is not known here is 415', () => {
    expect(codeOf(object('batch/v1', 'Job'))).toBe(415);
  });

  const whole = object('v1', 'ConfigMap', entry(2, 'key', 'value'));
  it.each([
    ['without the prefix', whole.subarray(1)],
    ['that ends early', whole.subarray(0, 30)],
    ['with a length beyond its end', object('v1', 'ConfigMap', Buffer.from([0x12, 0xff, 0xff, 0x7f]))],
    ['with a number that does not end', object('v1', 'ConfigMap', Buffer.alloc(12, 0xff))],
    ['with a group', object('v1', 'ConfigMap', Buffer.from([0x0b]))],
    ['with the field 0', object('v1', 'ConfigMap', Buffer.from([0x02, 0]))],
    ['with a number in place of a text', object('v1', 'ConfigMap', number(1, 5))],
    ['with a text in place of a number', object('v1', 'ConfigMap', bytes(4, 'true'))],
    [
      'with a time outside of all years',
      object('v1', 'ConfigMap', bytes(1, bytes(8, number(1, Number.MAX_SAFE_INTEGER)))),
    ],
  ])('%s is 400', (_what, body) => {
    expect(codeOf(body)).toBe(400);
  });

  it('cut anywhere is either read or 400', () => {
    for (let end = 0; end < whole.length; end++)
      expect([200, 400, 415]).toContain(codeOf(whole.subarray(0, end)));
  });
});
