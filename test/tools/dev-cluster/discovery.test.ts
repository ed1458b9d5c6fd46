import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  isObject,
  listAt,
  objectAt,
  textAt,
  type Json,
  type JsonObject,
} from '../../../hack/dev-cluster/json/json.ts';
import { useClusters } from './fixture.ts';

const start = useClusters();
const FILE = join(import.meta.dirname, '../../data/cluster-api/discovery/documents.json');
const documents = JSON.parse(readFileSync(FILE, 'utf8')) as JsonObject;

/** The document with only those resources and groups that the recording has. */
function ofRecordedNames(body: Json, recorded: Json | undefined): Json {
  if (!isObject(body)) return body;
  const [field] = ['resources', 'groups'].filter((each) => Object.hasOwn(body, each));
  if (field === undefined) return body;
  const names = listAt(recorded, field).map((each) => textAt(each, 'name'));
  return { ...body, [field]: listAt(body, field).filter((each) => names.includes(textAt(each, 'name'))) };
}

describe('discovery', () => {
  it.each(Object.keys(documents))('answers %s as recorded, of the kinds that were recorded', async (path) => {
    const { client } = await start();
    const { status, body } = await client.get(path);
    expect(status).toBe(200);

    expect(ofRecordedNames(body, documents[path])).toEqual(documents[path]);
  });

  it('lists the other kinds of an installation', async () => {
    const { client } = await start();
    const names = async (path: string) =>
      listAt((await client.get(path)).body, 'resources').map((each) => textAt(each, 'name'));
    expect(await names('/api/v1')).toContain('services');
    expect(await names('/apis/policy/v1')).toEqual(['poddisruptionbudgets']);
    expect(await names('/apis/autoscaling/v2')).toEqual(['horizontalpodautoscalers']);
    expect(await names('/apis/networking.k8s.io/v1')).toEqual(['ingresses', 'networkpolicies']);
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
