import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { field, isObject } from '../../../../src/cluster/objects/raw-object.ts';
import { answeredFailure } from '../../../../src/cluster/transport/errors.ts';
import { METHODS, type ClusterRequest, type Verb } from '../../../../src/cluster/transport/request.ts';
import { readStatus } from '../../../../src/cluster/transport/status.ts';

/** What a real cluster answered; see the README beside the recordings. */
const SCENARIOS = new URL('../../../data/cluster-api/scenarios/', import.meta.url);

interface RecordedFailure {
  readonly title: string;
  readonly request: ClusterRequest;
  readonly status: number;
  readonly body: unknown;
}

const EXPECTED: Readonly<Record<string, string>> = {
  '401 Unauthorized': 'unavailable',
  '403 Forbidden': 'rbacForbidden',
  '404 NotFound': 'notFound',
  '409 AlreadyExists': 'exists',
  '409 Conflict': 'conflict',
  '413 RequestEntityTooLarge': 'tooLarge',
  '400 BadRequest': 'rejected',
  '422 Invalid': 'rejected',
};

function recordedFailures(): readonly RecordedFailure[] {
  return readdirSync(SCENARIOS).flatMap((file) => {
    const text = readFileSync(new URL(file, SCENARIOS), 'utf8').replaceAll(/\$\{run\}|<run>/g, 'run');
    const steps = field(JSON.parse(text), 'steps');
    return (Array.isArray(steps) ? steps : []).flatMap((step) => failureOf(file, step));
  });
}

function failureOf(file: string, step: unknown): readonly RecordedFailure[] {
  const status = field(field(step, 'answer'), 'status');
  const body = field(field(step, 'answer'), 'body');
  const request = requestOf(textOf(step, 'method') ?? 'GET', textOf(step, 'path') ?? '');
  const isWhole = isObject(body) && field(step, 'drop') === undefined;
  if (typeof status !== 'number' || status < 400 || !isWhole || request === undefined) return [];
  return [{ title: `${file}: ${textOf(step, 'id') ?? ''}`, request, status, body }];
}

function textOf(value: unknown, name: string): string | undefined {
  const text = field(value, name);
  return typeof text === 'string' ? text : undefined;
}

function requestOf(method: string, path: string): ClusterRequest | undefined {
  const match =
    /^(\/api\/v1|\/apis\/([^/]+)\/v1)(?:\/namespaces\/([^/]+))?\/([^/?]+)(?:\/([^/?]+))?(\?.*)?$/.exec(path);
  const [, api = '', group = '', namespace, plural = '', name, query] = match ?? [];
  if (match === null) return undefined;
  const verbs = Object.keys(METHODS) as Verb[];
  const read = query?.includes('watch=true') === true ? 'watch' : name === undefined ? 'list' : 'get';
  const verb = method === 'GET' ? read : verbs.find((candidate) => METHODS[candidate] === method);
  if (verb === undefined) return undefined;
  const resource = { api, group, plural, kind: '' };
  return { verb, resource, ...(namespace && { namespace }), ...(name && { name }) };
}

describe('the failures that a real cluster answered', () => {
  const failures = recordedFailures();

  it('are many', () => {
    expect(failures.length).toBeGreaterThan(50);
  });

  it.each(failures)('are translated by status and reason: $title', ({ request, status, body }) => {
    const details = readStatus(body);
    const { error } = answeredFailure(request, { status, details });
    expect(error.code).toBe(EXPECTED[`${status} ${details?.reason ?? ''}`]);
    const message = textOf(body, 'message') ?? '';
    expect(error.message).not.toContain(message);
    expect(message).not.toContain(error.message);
  });
});
