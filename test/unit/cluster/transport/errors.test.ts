import { describe, expect, it } from 'vitest';
import {
  answeredFailure,
  lostFailure,
  unusableFailure,
  type Failure,
} from '../../../../src/cluster/transport/errors.ts';
import type { ClusterRequest, Verb } from '../../../../src/cluster/transport/request.ts';
import { SECRETS } from '../../../../src/cluster/objects/resources.ts';
import { readStatus } from '../../../../src/cluster/transport/status.ts';

const HOSTILE = 'text of the cluster with a value: hunter2';
const READS = ['get', 'list', 'watch'] as const;
const WRITES = ['create', 'update', 'patch', 'delete'] as const;

function requestOf(verb: Verb): ClusterRequest {
  const named = verb === 'list' || verb === 'watch' || verb === 'create' ? {} : { name: 'a' };
  return { verb, resource: SECRETS, namespace: 'team-a', ...named };
}

function statusBody(reason: string, details: unknown = {}): unknown {
  return { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: HOSTILE, reason, details };
}

function answered(verb: Verb, status: number, body?: unknown, retryAfter?: string): Failure {
  return answeredFailure(requestOf(verb), { status, details: readStatus(body), retryAfter });
}

const forbidden = (name: string) => statusBody('Forbidden', { kind: 'secrets', name });
/** As a ValidatingAdmissionPolicy refuses. */
const refusedByPolicy = (reason: string) =>
  statusBody(reason, { kind: 'secrets', name: 'a', causes: [{ message: HOSTILE }] });
const absent = (kind: string, name: string) => statusBody('NotFound', { kind, name });

describe('answeredFailure', () => {
  it.each([
    ['get', 404, absent('secrets', 'a'), 'notFound', 'absent'],
    ['delete', 404, absent('secrets', 'a'), 'notFound', 'absent'],
    ['create', 404, absent('namespaces', 'team-a'), 'notFound', 'absent'],
    ['create', 409, statusBody('AlreadyExists'), 'exists', 'alreadyExists'],
    ['update', 409, statusBody('Conflict'), 'conflict', 'clusterConflict'],
    ['delete', 409, statusBody('Conflict', { kind: 'Secret', name: 'a' }), 'conflict', 'clusterConflict'],
    ['create', 422, statusBody('Invalid'), 'rejected', 'clusterRejected:422'],
    ['update', 400, statusBody('BadRequest'), 'rejected', 'clusterRejected:400'],
    ['create', 413, statusBody('RequestEntityTooLarge'), 'tooLarge', 'clusterTooLarge'],
    ['create', 413, undefined, 'tooLarge', 'clusterTooLarge'],
    ['get', 403, statusBody('Forbidden'), 'rbacForbidden', 'rbacForbidden:get:secrets'],
    [
      'create',
      403,
      statusBody('Forbidden', { kind: 'secrets' }),
      'rbacForbidden',
      'rbacForbidden:create:secrets',
    ],
    ['delete', 403, forbidden('a'), 'rbacForbidden', 'rbacForbidden:delete:secrets'],
    ['create', 403, forbidden('a'), 'admissionRefused', 'admissionRefused:create:secrets'],
    ['create', 403, statusBody(''), 'admissionRefused', 'admissionRefused:create:secrets'],
    ['update', 403, statusBody('Forbidden'), 'admissionRefused', 'admissionRefused:update:secrets'],
    ['update', 403, refusedByPolicy('Forbidden'), 'admissionRefused', 'admissionRefused:update:secrets'],
    ['delete', 401, refusedByPolicy('Unauthorized'), 'admissionRefused', 'admissionRefused:delete:secrets'],
    ...WRITES.flatMap((verb) => [
      [
        verb,
        422,
        refusedByPolicy('Invalid'),
        'admissionRefused',
        `admissionRefused:${verb}:secrets`,
      ] as const,
      [verb, 400, statusBody(''), 'admissionRefused', `admissionRefused:${verb}:secrets`] as const,
    ]),
    ['get', 401, statusBody('Unauthorized'), 'unavailable', 'clusterCredentialsRefused'],
    ['update', 401, statusBody('Unauthorized'), 'unavailable', 'clusterCredentialsRefused'],
    ['create', 401, undefined, 'unavailable', 'clusterCredentialsRefused'],
    ['create', 409, statusBody('Conflict', { kind: 'resourcequotas' }), 'unavailable', 'quotaRace'],
    ['list', 410, statusBody('Expired'), 'expired', 'clusterExpired'],
    ['list', 410, statusBody('Gone'), 'expired', 'clusterExpired'],
    ['list', 400, statusBody('BadRequest'), 'unavailable', 'clusterStatus:400'],
    ['list', 422, statusBody('Invalid'), 'unavailable', 'clusterStatus:422'],
    ['update', 415, statusBody('UnsupportedMediaType'), 'unavailable', 'clusterStatus:415'],
    ['get', 302, undefined, 'unavailable', 'notTheClusterApi:302'],
  ] as const)('%s answered %i is %s', (verb, status, body, code, reason) => {
    expect(answered(verb, status, body).error).toMatchObject({ code, reason });
  });

  it.each([
    ['an error page', undefined],
    ['a path that is not served', statusBody('NotFound')],
    ['another object', absent('secrets', 'b')],
    ['another kind', absent('configmaps', 'a')],
    ['another group', statusBody('NotFound', { kind: 'secrets', name: 'a', group: 'example.io' })],
    ['another reason', statusBody('Unknown', { kind: 'secrets', name: 'a' })],
    ['the namespace', absent('namespaces', 'team-a')],
  ])('takes a 404 about %s for no answer at all when reading', (_what, body) => {
    expect(answered('get', 404, body).error.code).toBe('unavailable');
  });

  it.each([403, 404, 409, 410, 422])(
    'takes a %i without a Status for the word of something in between',
    (status) => {
      const reason = `notTheClusterApi:${status}`;
      expect(answered('update', status).error).toMatchObject({ code: 'unavailable', reason });
    },
  );

  it('recognises a namespace that is being deleted', () => {
    const body = statusBody('Forbidden', {
      causes: [{ reason: 'NamespaceTerminating', field: 'metadata.namespace' }],
    });
    expect(answered('create', 403, body).error).toMatchObject({
      code: 'notFound',
      reason: 'namespaceTerminating',
    });
  });

  it.each(READS.flatMap((verb) => [429, 500, 502, 503, 504].map((status) => [verb, status] as const)))(
    '%s answered %i is unavailable and may be sent again',
    (verb, status) => {
      const failure = answered(verb, status, statusBody('Whatever'));
      expect([failure.error.code, failure.repeatable]).toEqual(['unavailable', true]);
    },
  );

  it.each(WRITES.flatMap((verb) => [500, 502, 504, 599].map((status) => [verb, status] as const)))(
    '%s answered %i is uncertain and never sent again',
    (verb, status) => {
      const failure = answered(verb, status, statusBody('InternalError'));
      expect([failure.error.code, failure.repeatable]).toEqual(['uncertain', false]);
    },
  );

  it.each(WRITES)(
    '%s answered 500 is over only where the cluster says that its handler has failed',
    (verb) => {
      expect(answered(verb, 500, statusBody('InternalError')).error.isOver).toBe(true);
      expect(answered(verb, 500, statusBody('')).error.isOver).toBe(false);
      expect(answered(verb, 504, statusBody('InternalError')).error.isOver).toBe(false);
      expect(answered(verb, 500).error.isOver).toBe(false);
    },
  );

  it.each(WRITES)('%s answered 503 by something else than the cluster may have been done', (verb) => {
    expect(answered(verb, 503).error.code).toBe('uncertain');
  });

  it.each(WRITES)('%s answered 503 did nothing, and is not sent again', (verb) => {
    const failure = answered(verb, 503, statusBody('ServiceUnavailable'));
    expect([failure.error.code, failure.repeatable]).toEqual(['unavailable', false]);
  });

  it.each(WRITES)('%s answered 429 did nothing, and may be sent again', (verb) => {
    const failure = answered(verb, 429, statusBody('TooManyRequests'));
    expect([failure.error.code, failure.repeatable]).toEqual(['unavailable', true]);
  });

  it.each(['get', 'create'] as const)(
    '%s is not repeated after an answer that will stay the same',
    (verb) => {
      for (const status of [400, 401, 403, 404, 409, 410, 413, 422, 501]) {
        expect(answered(verb, status, statusBody('Whatever')).repeatable).toBe(false);
      }
    },
  );

  it('passes on how long the cluster wants to be left alone, from the header or from the Status', () => {
    const details = statusBody('TooManyRequests', { retryAfterSeconds: 9 });
    expect(answered('get', 429, details, '3').error.retryAfterSeconds).toBe(3);
    expect(answered('get', 503, details).error.retryAfterSeconds).toBe(9);
    expect(answered('get', 503).error.retryAfterSeconds).toBeUndefined();
    expect(answered('update', 500, details, '3').error).toMatchObject({
      code: 'uncertain',
      retryAfterSeconds: 3,
    });
    expect(answered('update', 409, details, '3').error.retryAfterSeconds).toBeUndefined();
  });

  it('names the fields that the cluster found fault with, and nothing else of its answer', () => {
    const causes = [
      { reason: 'FieldValueRequired', field: 'data[tls.crt]', message: HOSTILE },
      { reason: 'FieldValueInvalid', field: HOSTILE, message: HOSTILE },
      { reason: 'FieldValueInvalid', field: 'metadata.annotations[example.io/a]', message: HOSTILE },
    ];
    const { message } = answered('create', 422, statusBody('Invalid', { causes })).error;
    expect(message).toBe(
      'The cluster rejected the change as invalid: data[tls.crt], metadata.annotations[example.io/a]',
    );
  });

  it('never carries text of the cluster', () => {
    for (const verb of [...READS, ...WRITES]) {
      for (let status = 300; status < 600; status++) {
        const { error } = answered(verb, status, statusBody('Forbidden', { kind: 'secrets', name: HOSTILE }));
        expect(`${error.message} ${error.reason ?? ''} ${String(error.cause)}`).not.toContain('hunter2');
      }
    }
  });
});

describe('lostFailure', () => {
  const lost = (
    verb: Verb,
    sent: boolean,
    why: 'deadlineExceeded' | 'clusterTimeout' | 'connectionFailed',
  ) => {
    const { error, repeatable } = lostFailure(requestOf(verb), { sent, why, cause: undefined });
    return [error.code, error.reason, repeatable];
  };

  it.each(WRITES)('%s is uncertain once it was sent, and never sent again', (verb) => {
    expect(lost(verb, true, 'connectionFailed')).toEqual(['uncertain', 'connectionFailed', false]);
    expect(lost(verb, true, 'clusterTimeout')).toEqual(['uncertain', 'clusterTimeout', false]);
    expect(lost(verb, true, 'deadlineExceeded')).toEqual(['uncertain', 'deadlineExceeded', false]);
  });

  it.each(WRITES)('%s that was never sent did nothing, and may be sent again', (verb) => {
    expect(lost(verb, false, 'connectionFailed')).toEqual(['unavailable', 'connectionFailed', true]);
    expect(lost(verb, false, 'clusterTimeout')).toEqual(['unavailable', 'clusterTimeout', true]);
  });

  it.each(READS)('%s may be sent again, sent or not', (verb) => {
    expect(lost(verb, true, 'connectionFailed')).toEqual(['unavailable', 'connectionFailed', true]);
    expect(lost(verb, false, 'clusterTimeout')).toEqual(['unavailable', 'clusterTimeout', true]);
  });

  it.each([...READS, ...WRITES])('%s is not repeated once the call is spent', (verb) => {
    expect(lost(verb, false, 'deadlineExceeded')).toEqual(['unavailable', 'deadlineExceeded', false]);
  });
});

describe('a good answer that cannot be used', () => {
  it('leaves a read without an answer, and a write uncertain that has had all of its effect', () => {
    expect(unusableFailure(requestOf('get'), 'clusterNotJson')).toMatchObject({
      error: { code: 'unavailable', reason: 'clusterNotJson' },
      repeatable: false,
    });
    const uncertain = { code: 'uncertain', isOver: true };
    expect(unusableFailure(requestOf('create'), 'clusterNotJson').error).toMatchObject(uncertain);
    expect(unusableFailure(requestOf('list'), 'responseTooLarge').error.code).toBe('responseTooLarge');
    expect(unusableFailure(requestOf('update'), 'responseTooLarge').error).toMatchObject(uncertain);
  });
});
