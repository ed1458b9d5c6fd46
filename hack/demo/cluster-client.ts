/** What `make run` needs of the development cluster's API. */
export interface ClusterClient {
  /** Creates an object; one that is there already stays as it is. */
  ensure(path: string, object: object): Promise<void>;
  /** Puts a role or a binding in its place, whether there is one or not. @throws when the answer is not a success */
  put(path: string, object: object): Promise<void>;
  /** Changes some fields of an object, as `kubectl patch --type merge` does. @throws when the answer is not a success */
  merge(path: string, object: object): Promise<void>;
  /** @throws when the answer is not a success */
  post(path: string, object: object): Promise<unknown>;
}

const TYPES = {
  ...{ POST: 'application/json', PUT: 'application/json' },
  PATCH: 'application/merge-patch+json',
} as const;
type Method = keyof typeof TYPES;

export function createClusterClient(server: string, token: string): ClusterClient {
  const send = (method: Method, path: string, object: object): Promise<Response> =>
    fetch(`${server}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': TYPES[method] },
      body: JSON.stringify(object),
      signal: AbortSignal.timeout(10_000),
    });
  const insist = async (method: Method, path: string, object: object): Promise<Response> => {
    const response = await send(method, path, object);
    if (!response.ok)
      throw new Error(`The development cluster answered ${response.status} to ${method} ${path}`);
    return response;
  };
  return {
    async ensure(path, object) {
      const { ok, status } = await send('POST', path, object);
      if (!ok && status !== 409)
        throw new Error(`The development cluster answered ${status} to POST ${path}`);
    },
    async put(path, object) {
      await insist('PUT', path, object);
    },
    async merge(path, object) {
      await insist('PATCH', `${path}?fieldManager=kubectl`, object);
    },
    post: async (path, object) => (await insist('POST', path, object)).json(),
  };
}
