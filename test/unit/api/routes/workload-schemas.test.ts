import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, it } from 'vitest';
import { restartRequest } from '../../../../src/api/routes/workload-routes.ts';
import { hasBody } from '../../../../src/server/body.ts';
import { WORKLOAD_KINDS } from '../../../../src/workloads/ports.ts';
import { ServiceError } from '../../../../src/errors/service-error.ts';

const parseRestart = (body: unknown) => restartRequest.parse(body).consumers;

const web = { kind: 'Deployment', name: 'web' };

function refusalOf(body: unknown): string {
  try {
    parseRestart(body);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'invalidRequest') return error.message;
  }
  throw new Error('this should be refused as invalid');
}

describe('the body of a restart', () => {
  it('may be left out, or name no consumers, or any number of them', () => {
    expect(parseRestart(undefined)).toBeUndefined();
    expect(parseRestart({})).toBeUndefined();
    expect(parseRestart({ consumers: [] })).toEqual([]);
    const all = WORKLOAD_KINDS.map((kind) => ({ kind, name: 'a.b-c' }));
    expect(parseRestart({ consumers: all })).toEqual(all);
  });

  it.each<[string, unknown, RegExp]>([
    ['null', null, /^The request body must be a JSON object$/],
    ['a list', [web], /^The request body must be a JSON object$/],
    ['a text', 'web', /^The request body must be a JSON object$/],
    ['an unknown field', { workloads: 'planted' }, /^Unknown field workloads$/],
    ['a field whose name may be a value', { 'planted x': 1 }, /^The request body has an unknown field$/],
    ['__proto__', JSON.parse('{"__proto__": {"consumers": []}}'), /^Unknown field __proto__$/],
    ['consumers that are null', { consumers: null }, /^consumers must be an array/],
    ['consumers that are an object', { consumers: web }, /^consumers must be an array/],
    ['a consumer that is a text', { consumers: ['web'] }, /^consumers\[0\] must be an object/],
    ['a consumer that is null', { consumers: [web, null] }, /^consumers\[1\] must be an object/],
    ['no kind', { consumers: [{ name: 'web' }] }, /^consumers\[0\]\.kind must be one of CronJob, DaemonSet/],
    [
      'an unknown kind',
      { consumers: [web, { kind: 'Pod', name: 'a' }] },
      /^consumers\[1\]\.kind must be one of/,
    ],
    ['a kind in lowercase', { consumers: [{ kind: 'deployment', name: 'a' }] }, /^consumers\[0\]\.kind/],
    ['no name', { consumers: [{ kind: 'Deployment' }] }, /^consumers\[0\]\.name is required/],
    [
      'a number as name',
      { consumers: [{ kind: 'Deployment', name: 1 }] },
      /^consumers\[0\]\.name is required/,
    ],
    [
      'a name that is none',
      { consumers: [{ kind: 'Deployment', name: '../planted' }] },
      /^consumers\[0\]\.name must/,
    ],
    [
      'more consumers than anyone has',
      { consumers: Array.from({ length: 5_001 }, () => 'planted') },
      /^consumers must have at most 5,000 entries$/,
    ],
    ['an empty name', { consumers: [{ kind: 'Deployment', name: '' }] }, /^consumers\[0\]\.name must/],
    [
      'a further field',
      { consumers: [web, { ...web, namespace: 'planted' }] },
      /^Unknown field consumers\[1\]\.namespace$/,
    ],
    [
      'a further field whose name may be a value',
      { consumers: [{ ...web, 'planted x': 1 }] },
      /^The request body has an unknown field$/,
    ],
  ])('with %s is refused by field and rule, without what was sent', (_what, body, rule) => {
    expect(refusalOf(body)).toMatch(rule);
    expect(refusalOf(body)).not.toContain('planted');
  });
});

describe('a request', () => {
  const has = (headers: object) => hasBody({ headers: headers as IncomingHttpHeaders });
  it('has a body when it announces one', () => {
    expect(has({ 'content-length': '2' })).toBe(true);
    expect(has({ 'transfer-encoding': 'chunked' })).toBe(true);
    expect(has({})).toBe(false);
    expect(has({ 'content-length': '0', 'content-type': 'text/plain' })).toBe(false);
  });
});
