import { describe, expect, it } from 'vitest';
import { readStatus, retryAfterSeconds } from '../../../../src/cluster/transport/status.ts';

describe('readStatus', () => {
  it('reads the parts of a Status that the service acts on, and not its message', () => {
    const status = readStatus({
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      message: 'text of the cluster',
      reason: 'Invalid',
      details: {
        name: 'a',
        kind: 'Secret',
        retryAfterSeconds: 2,
        causes: [{ reason: 'FieldValueInvalid', field: 'type', message: 'text of the cluster' }, 'nonsense'],
      },
    });
    expect(status).toEqual({
      reason: 'Invalid',
      kind: 'Secret',
      group: '',
      name: 'a',
      retryAfterSeconds: 2,
      causes: [{ reason: 'FieldValueInvalid', field: 'type' }],
    });
  });

  it('reads a Status without details', () => {
    const bare = { kind: 'Status', apiVersion: 'v1', reason: 'Unauthorized' };
    expect(readStatus(bare)).toMatchObject({ reason: 'Unauthorized', kind: undefined, causes: [] });
  });

  it.each([
    undefined,
    null,
    'Status',
    [],
    {},
    { kind: 'Status' },
    { kind: 'Secret', apiVersion: 'v1' },
    Object.create({ kind: 'Status', apiVersion: 'v1' }) as unknown,
  ])('takes nothing else for a Status: %j', (body) => {
    expect(readStatus(body)).toBeUndefined();
  });
});

describe('retryAfterSeconds', () => {
  it.each([
    ['7', 7],
    ['0', 1],
    ['86400', 300],
    ['9'.repeat(400), 300],
  ])('holds %s within reason', (header, seconds) => {
    expect(retryAfterSeconds(header)).toBe(seconds);
  });

  it.each([undefined, '', '-1', '1.5', 'soon', '2026-01-01', 'Thu, 01 Jan 2026 00:00:30 GMT'])(
    'takes %j for no wait at all',
    (header) => {
      expect(retryAfterSeconds(header)).toBeUndefined();
    },
  );
});
