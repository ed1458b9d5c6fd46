import type { ApiAnswer, ApiClient, ApiRequest } from '../../harness/api-client.ts';
import { secretsPath } from '../../harness/secret-paths.ts';

type BadRequest = readonly [method: string, path: string, request?: ApiRequest];

/** Requests that are refused, with `planted` wherever a careless refusal would repeat it. */
export function badRequests(namespace: string, planted: string): readonly BadRequest[] {
  const collection = secretsPath(namespace);
  const named = secretsPath(namespace, 'a');
  const json = 'application/json';
  const typed = (type: string, body: string): ApiRequest => ({ headers: { 'content-type': type }, body });
  return [
    ...badBodies(planted).map((body): BadRequest => ['POST', collection, { json: body }]),
    ['POST', collection, typed(json, `{"name": "b", "data": {"key": "${planted}"`)],
    ['POST', collection, typed(json, planted)],
    ['POST', collection, typed(json, JSON.stringify(planted))],
    ['POST', collection, typed(`text/${planted}`, planted)],
    ['POST', collection, { headers: { 'content-type': json, 'content-encoding': planted }, body: planted }],
    ['PUT', named, { json: { resourceVersion: planted, data: { key: planted } } }],
    ['POST', `${named}/restart`, { json: { [planted]: 1 } }],
    ['POST', `${named}/restart`, { json: { consumers: planted } }],
    ['POST', `${named}/restart`, { json: { consumers: [{ kind: planted, name: planted }] } }],
    ['POST', `${named}/restart`, { json: { consumers: [{ kind: 'Deployment', name: planted }] } }],
    ['PATCH', named, { json: { resourceVersion: planted, set: { key: planted } } }],
    ['PATCH', named, { json: { resourceVersion: planted, set: { [`${planted} `]: planted } } }],
    ['PATCH', named, { json: { resourceVersion: planted, setBinary: { key: `${planted}~` } } }],
    ['PATCH', named, { json: { resourceVersion: planted, remove: [`${planted} `] } }],
    ['PATCH', named, { json: { resourceVersion: planted, remove: planted } }],
    ['PATCH', named, { json: { resourceVersion: planted, data: { key: planted } } }],
    ['PUT', named, { json: { resourceVersion: planted, stringData: { key: planted } } }],
    ['POST', `${named}/restore`, { json: { resourceVersion: planted, version: 1 } }],
    ['POST', `${named}/restore`, { json: { resourceVersion: '1', version: planted } }],
    ['GET', `${named}/versions/${planted}`],
    ['GET', `${named}?values=${planted}`],
    ['GET', `${named}/versions/1/keys/${planted}%2f`],
    ['GET', `${named}/keys/${planted}%20`],
    ['DELETE', `${named}?resourceVersion=${planted}`],
    ['DELETE', `${named}?resourceVersion=1&keepHistory=${planted}`],
    ['DELETE', `${named}?resourceVersion=${planted}&resourceVersion=${planted}`],
    ...['limit=', 'limit=1&sort=', 'limit=1&continue='].map((query): BadRequest => [
      'GET',
      `${collection}?${query}${planted}`,
    ]),
    ['GET', `${collection}?limit=1&q=${planted}&q=${planted}`],
    ['GET', `/api/search?q=${planted}&limit=${planted}`],
    ['GET', `/api/expiring?within=${planted}`],
    ['GET', `/api/search?q=${planted}&type=${planted}&type=${planted}`],
    ['GET', secretsPath(planted.toUpperCase())],
    ['GET', secretsPath(namespace, `${planted}%2f..`)],
    ['GET', secretsPath(namespace, `${planted}%ff`)],
    ['GET', `/api/${planted}`],
    ['GET', `/${planted}?${planted}=${planted}`],
    ['PATCH', `${named}?${planted}`],
    ['POST', collection, { json: {}, headers: { origin: `https://${planted}.example` } }],
    ['GET', '/api/config', { headers: { 'x-request-id': `${planted} ${planted}` } }],
    ['GET', collection, { headers: { authorization: `Bearer ${planted}`, 'x-forwarded-for': planted } }],
    ['GET', collection, { headers: { cookie: `service_session=${planted}; other=${planted}` } }],
    ['GET', '/api/auth/me', { headers: { cookie: `service_session=e30.${planted}.e30` } }],
    ...badSignIns(planted),
  ];
}

/** Of requests to create a Secret. */
function badBodies(planted: string): readonly object[] {
  return [
    { name: planted.toUpperCase() },
    { name: 'b', [planted]: 1 },
    { name: 'b', data: planted },
    { name: 'b', data: [planted] },
    { name: 'b', data: { key: [planted] } },
    { name: 'b', data: { [`${planted} `]: planted } },
    { name: 'b', data: { key: `${planted}\u0000` } },
    { name: 'b', data: { key: `${planted}\ud800` } },
    { name: 'b', binaryData: { key: planted } },
    { name: 'b', allowedGroups: [`${planted},x`] },
    { name: 'b', allowedUsers: [planted.padEnd(257, 'x')] },
    { name: 'b', allowedGroups: planted },
    { name: 'b', description: `${planted}\ud800` },
    { name: 'b', description: planted.padEnd(300_000, 'x') },
    { name: 'b', type: 'kubernetes.io/tls', data: { key: planted } },
    { name: 'b', type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': planted } },
    { name: 'b', type: 'kubernetes.io/service-account-token', data: { key: planted } },
    { name: 'b', data: { key: planted.padEnd(1_100_000, 'x') } },
    { name: 'a', data: { key: planted } },
  ];
}

function badSignIns(planted: string): readonly BadRequest[] {
  return [
    ['GET', `/login?auth=error&idp_error=${planted}`],
    ['GET', `/api/auth/login?return=${planted}`],
    ['GET', `/api/auth/callback?code=${planted}&state=${planted}`],
    ['GET', `/api/auth/callback?error=${planted}&error_description=${planted}&state=${planted}`],
    [
      'GET',
      `/api/auth/callback?error=access_denied&error_description=${planted}&state=${planted}`,
      {
        headers: {
          cookie: ['state', 'nonce', 'verifier'].map((one) => `service_${one}=${planted}`).join('; '),
        },
      },
    ],
  ];
}

export async function sendAll(
  client: ApiClient,
  requests: readonly BadRequest[],
): Promise<readonly { route: string; answer: ApiAnswer }[]> {
  return Promise.all(
    requests.map(async ([method, path, request]) => ({
      route: `${method} ${path.slice(0, 60)}`,
      answer: await client.send(method, path, request),
    })),
  );
}
