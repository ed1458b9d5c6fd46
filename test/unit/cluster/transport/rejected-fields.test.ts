import { describe, expect, it } from 'vitest';
import { readStatus, rejectedFields } from '../../../../src/cluster/transport/status.ts';

function fieldsOf(...fields: readonly unknown[]): readonly string[] {
  const causes = fields.map((field) => ({ reason: 'FieldValueInvalid', field }));
  return rejectedFields(
    readStatus({ kind: 'Status', apiVersion: 'v1', reason: 'Invalid', details: { causes } }),
  );
}

describe('rejectedFields', () => {
  it.each([
    'type',
    'metadata.name',
    'data[tls.crt]',
    'data[__proto__]',
    'metadata.annotations[kubernetes.io/service-account.name]',
    'spec.template.spec.containers[0].image',
  ])('keeps the path %s', (path) => {
    expect(fieldsOf(path)).toEqual([path]);
  });

  it.each([
    '',
    ' ',
    'a b',
    'data[a b]',
    'data[é]',
    'data[]',
    'data["x"]',
    'type: Invalid value',
    '<script>',
    'type\n',
    '.type',
    'type.',
    `data[${'k'.repeat(254)}]`,
    7,
    null,
  ])('leaves out %j', (field) => {
    expect(fieldsOf(field)).toEqual([]);
  });

  it('shortens long paths, drops repetitions and stops at eight', () => {
    const [long] = fieldsOf(`data[${'k'.repeat(253)}]`);
    expect(long).toHaveLength(101);
    expect(fieldsOf('type', 'type')).toEqual(['type']);
    expect(fieldsOf(...Array.from({ length: 20 }, (_, index) => `data[k${index}]`))).toHaveLength(8);
  });

  it('finds none without a Status', () => {
    expect(rejectedFields(undefined)).toEqual([]);
  });
});
