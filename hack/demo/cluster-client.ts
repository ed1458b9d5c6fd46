/** What `make run` needs of the development cluster's API. */
export interface ClusterClient {
  /** Creates an object; one that is there already stays as it is. */
  ensure(path: string, object: object): Promise<void>;
  /** @throws when the answer is not a success */
  post(path: string, object: object): Promise<unknown>;
}

export function createClusterClient(server: string, token: string): ClusterClient {
  const send = (path: string, object: object): Promise<Response> =>
    fetch(`${server}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(object),
      signal: AbortSignal.timeout(10_000),
    });
  return {
    async ensure(path, object) {
      const { ok, status } = await send(path, object);
      if (!ok && status !== 409)
        throw new Error(`The development cluster answered ${status} to POST ${path}`);
    },
    async post(path, object) {
      const response = await send(path, object);
      if (!response.ok)
        throw new Error(`The development cluster answered ${response.status} to POST ${path}`);
      return response.json();
    },
  };
}
