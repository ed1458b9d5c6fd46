/** The passwords of the tests' accounts at Glewlwyd; the administrator's is the one that its database comes with. */
export const ADMINISTRATOR = { username: 'admin', password: 'password' };

/** Glewlwyd's administration API, signed in. */
export interface Administration {
  /** @throws on any status but success */
  request(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<unknown>;
}

/** Signs in as the administrator of the Glewlwyd at `url`. */
export async function administer(url: string): Promise<Administration> {
  let cookie = '';
  const request: Administration['request'] = async (method, path, body) => {
    const response = await fetch(`${url}/api${path}`, {
      method,
      headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    // A refusal says which parameter is wrong, in Glewlwyd's own fixed words.
    if (!response.ok) throw new Error(`Glewlwyd answered ${response.status} to ${method} ${path}: ${text}`);
    const [session] = response.headers.getSetCookie();
    if (session !== undefined) cookie = session.split(';')[0] ?? '';
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  };
  await request('POST', '/auth/', ADMINISTRATOR);
  return { request };
}
