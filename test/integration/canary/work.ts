import type { ApiAnswer, ApiClient } from '../../harness/api-client.ts';
import { secretsPath } from '../../harness/secret-paths.ts';

/** What was answered to what. */
export interface Evidence {
  readonly route: string;
  readonly answer: ApiAnswer;
  /** Whether the answer must hold values: details, of the live Secret or of a version. */
  readonly holdsValues: boolean;
}

export interface Work {
  readonly route: string;
  readonly holdsValues?: true;
  readonly writes?: true;
  /** Answered from memory alone, so that it does not fail with the cluster. */
  readonly needsNoCluster?: true;
  readonly run: (client: ApiClient, place: Place) => Promise<ApiAnswer>;
}

/**
 * A namespace with a Secret `a` of text and binary values that a Deployment uses, a Secret `text`, one that was deleted
 * and archived, and values to write.
 */
export interface Place {
  readonly namespace: string;
  readonly revisions: { readonly a: string; readonly text: string };
  /** The UID of the Secret that was deleted and archived. */
  readonly deleted: string;
  readonly data: Readonly<Record<string, string>>;
}

const deletedAt = ({ namespace, deleted }: Place) => `/api/namespaces/${namespace}/deleted/${deleted}`;
const at = ({ namespace }: Place, below?: string) => secretsPath(namespace, 'a', below);

/** Every route of the secrets API. */
export const WORK: readonly Work[] = [
  { route: 'GET /api/namespaces', run: (client) => client.get('/api/namespaces') },
  {
    route: 'GET /api/search',
    needsNoCluster: true,
    run: (client, { namespace }) => client.get(`/api/search?q=${namespace}+t`),
  },
  { route: 'GET /api/expiring', needsNoCluster: true, run: (client) => client.get('/api/expiring') },
  {
    route: 'GET /api/namespaces/:namespace/secrets',
    run: (client, { namespace }) => client.get(secretsPath(namespace)),
  },
  {
    // The same past the cache, which needs no cluster and so does not fail with it.
    route: 'GET /api/namespaces/:namespace/secrets',
    run: (client, { namespace }) =>
      client.get(secretsPath(namespace), { headers: { 'cache-control': 'no-cache' } }),
  },
  {
    route: 'GET /api/namespaces/:namespace/secrets',
    needsNoCluster: true,
    run: (client, { namespace }) => client.get(`${secretsPath(namespace)}?limit=1&q=t&sort=changed`),
  },
  {
    route: 'POST /api/namespaces/:namespace/secrets',
    writes: true,
    run: (client, { namespace, data }) => client.post(secretsPath(namespace), { name: 'another', data }),
  },
  {
    route: 'GET /api/namespaces/:namespace/secrets/:name',
    holdsValues: true,
    run: (client, place) => client.get(at(place)),
  },
  {
    route: 'GET /api/namespaces/:namespace/secrets/:name',
    run: (client, place) => client.get(`${at(place)}?values=false`),
  },
  {
    route: 'GET /api/namespaces/:namespace/secrets/:name/keys/:key',
    holdsValues: true,
    run: (client, place) => client.get(at(place, 'keys/text')),
  },
  {
    route: 'GET /api/namespaces/:namespace/secrets/:name/keys/:key',
    run: (client, place) => client.send('HEAD', at(place, 'keys/text')),
  },
  {
    route: 'GET /api/namespaces/:namespace/secrets/:name/versions/:version/keys/:key',
    holdsValues: true,
    run: (client, place) => client.get(at(place, 'versions/1/keys/text')),
  },
  {
    route: 'GET /api/namespaces/:namespace/secrets/:name/versions',
    run: (client, place) => client.get(at(place, 'versions')),
  },
  {
    route: 'GET /api/namespaces/:namespace/secrets/:name/versions/:version',
    holdsValues: true,
    run: (client, place) => client.get(at(place, 'versions/1')),
  },
  {
    route: 'PUT /api/namespaces/:namespace/secrets/:name',
    writes: true,
    holdsValues: true,
    run: (client, { namespace, revisions, data }) =>
      client.put(secretsPath(namespace, 'text'), {
        resourceVersion: revisions.text,
        data: { ...data, more: data['text'] },
      }),
  },
  {
    route: 'PATCH /api/namespaces/:namespace/secrets/:name',
    writes: true,
    run: (client, { namespace, revisions, data }) =>
      client.patch(secretsPath(namespace, 'text'), {
        resourceVersion: revisions.text,
        set: { more: data['text'] },
        setBinary: { binary: Buffer.from(`\0${data['text'] ?? ''}`).toString('base64') },
      }),
  },
  {
    route: 'POST /api/namespaces/:namespace/secrets/:name/restore',
    writes: true,
    holdsValues: true,
    run: (client, place) =>
      client.post(at(place, 'restore'), { resourceVersion: place.revisions.a, version: 1 }),
  },
  {
    route: 'GET /api/namespaces/:namespace/secrets/:name/access',
    run: (client, place) => client.get(at(place, 'access')),
  },
  {
    route: 'GET /api/namespaces/:namespace/secrets/:name/consumers',
    run: (client, place) => client.get(at(place, 'consumers')),
  },
  {
    route: 'POST /api/namespaces/:namespace/secrets/:name/restart',
    writes: true,
    run: (client, place) =>
      client.post(at(place, 'restart'), { consumers: [{ kind: 'Deployment', name: 'web' }] }),
  },
  {
    route: 'DELETE /api/namespaces/:namespace/secrets/:name',
    writes: true,
    run: (client, place) =>
      client.delete(`${secretsPath(place.namespace, 'text')}?resourceVersion=${place.revisions.text}`),
  },
  {
    route: 'GET /api/namespaces/:namespace/deleted',
    run: (client, { namespace }) => client.get(`/api/namespaces/${namespace}/deleted`),
  },
  {
    route: 'POST /api/namespaces/:namespace/deleted/:uid/restore',
    writes: true,
    run: (client, place) => client.post(`${deletedAt(place)}/restore`, { name: 'restored' }),
  },
  {
    route: 'DELETE /api/namespaces/:namespace/deleted/:uid',
    writes: true,
    run: (client, place) => client.delete(deletedAt(place)),
  },
];
