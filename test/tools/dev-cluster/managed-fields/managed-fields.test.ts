import { describe, expect, it } from 'vitest';
import { type ApiObject } from '../../../../hack/dev-cluster/api/object.ts';
import { listAt, textAt, type JsonObject } from '../../../../hack/dev-cluster/json/json.ts';
import { SECRET } from '../../../../hack/dev-cluster/kinds/secret.ts';
import { managerOf, withManagedFields } from '../../../../hack/dev-cluster/managed-fields/managed-fields.ts';
import { stored } from '../objects.ts';

const write = (draft: ApiObject, previous: ApiObject | undefined, manager: string, time = 't1'): ApiObject =>
  withManagedFields(SECRET, draft, previous, { manager, time });

const owned = (object: ApiObject): JsonObject =>
  Object.fromEntries(
    listAt(object.metadata['managedFields']).map((entry) => [
      `${textAt(entry, 'manager')} at ${textAt(entry, 'time')}`,
      (entry as JsonObject)['fieldsV1'],
    ]),
  );

const FIRST = write(stored('a', { data: { x: 'MQ==', y: 'Mg==' }, type: 'Opaque' }), undefined, 'alice');

describe('managed fields', () => {
  it('belong to who creates an object', () => {
    expect(listAt(FIRST.metadata['managedFields'])).toEqual([
      {
        manager: 'alice',
        operation: 'Update',
        apiVersion: 'v1',
        time: 't1',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': { '.': {}, 'f:x': {}, 'f:y': {} }, 'f:type': {} },
      },
    ]);
  });

  it('pass to who changes them; the others keep theirs, and their time when nothing was taken', () => {
    const labelled = write(
      { ...FIRST, metadata: { ...FIRST.metadata, labels: { l: '1' } } },
      FIRST,
      'bob',
      't2',
    );
    expect(Object.keys(owned(labelled))).toEqual(['alice at t1', 'bob at t2']);
    const changed = write({ ...labelled, data: { x: 'OQ==', y: 'Mg==' } }, labelled, 'bob', 't3');
    expect(owned(changed)).toEqual({
      'alice at t3': { 'f:data': { '.': {}, 'f:y': {} }, 'f:type': {} },
      'bob at t3': { 'f:data': { 'f:x': {} }, 'f:metadata': { 'f:labels': { '.': {}, 'f:l': {} } } },
    });
  });

  it('vanish with their field, and with the last of them the manager', () => {
    const { data: _data, ...rest } = write(
      { ...FIRST, data: { x: 'OQ==' }, type: 'new' },
      FIRST,
      'bob',
      't2',
    );
    expect(owned(write(rest, FIRST, 'carol', 't3'))).toEqual({
      'carol at t3': { 'f:type': {} },
    });
  });

  it('name the items of sets and keyed lists', () => {
    const meta = {
      finalizers: ['x.io/y'],
      ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u' }],
    };
    expect(owned(write(stored('a', {}, meta), undefined, 'alice'))).toEqual({
      'alice at t1': {
        'f:metadata': {
          'f:finalizers': { '.': {}, 'v:"x.io/y"': {} },
          'f:ownerReferences': {
            '.': {},
            'k:{"uid":"u"}': { '.': {}, 'f:apiVersion': {}, 'f:kind': {}, 'f:name': {}, 'f:uid': {} },
          },
        },
      },
    });
  });

  it('know the key __proto__', () => {
    const data = JSON.parse('{"__proto__":"MQ=="}') as JsonObject;
    expect(owned(write(stored('a', { data }), undefined, 'alice'))).toEqual({
      'alice at t1': { 'f:data': { '.': {}, 'f:__proto__': {} } },
    });
  });
});

describe("a manager's name", () => {
  it.each([
    ['fieldManager=me', 'kubectl/v1', 'me'],
    ['', 'kubectl/v1.32 (linux)', 'kubectl'],
    ['', undefined, 'unknown'],
  ])('of ?%s and user agent %s is %s', (query, userAgent, expected) => {
    expect(managerOf(new URLSearchParams(query), userAgent)).toBe(expected);
  });
});
