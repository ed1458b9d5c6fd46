import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { objectAt, textAt, type JsonObject } from '../../../hack/dev-cluster/json/json.ts';
import { useClusters } from './ground.ts';

const start = useClusters();
const FILE = join(import.meta.dirname, '../../data/cluster-api/discovery/documents.json');
const documents = JSON.parse(readFileSync(FILE, 'utf8')) as JsonObject;

describe('discovery', () => {
  it.each(Object.keys(documents))('answers %s as recorded', async (path) => {
    const { client } = await start();
    const { status, body } = await client.get(path);
    expect(status).toBe(200);

    expect(body).toEqual(documents[path]);
  });
});

describe('OpenAPI v3', () => {
  it('says of every kind that PATCH takes fieldValidation', async () => {
    const { client } = await start();
    const root = await client.get('/openapi/v3');
    const relative = textAt(root.body, 'paths', 'apis/coordination.k8s.io/v1', 'serverRelativeURL');
    const { body } = await client.get(relative);
    const path = '/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases/{name}';
    expect(objectAt(body, 'paths', path, 'patch')).toMatchObject({
      'x-kubernetes-group-version-kind': { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease' },
      parameters: expect.arrayContaining([expect.objectContaining({ name: 'fieldValidation' })]) as unknown,
    });
  });
});
