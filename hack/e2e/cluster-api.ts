import { request } from 'undici';
import { createConnections } from '../../src/cluster/transport/connections.ts';
import {
  loadCredentials,
  parseCredentials,
  type Credentials,
} from '../../src/cluster/credentials/credentials.ts';

/** What a cluster answered, whatever its status. */
export interface ClusterResponse {
  readonly status: number;
  /** The parsed JSON; undefined when it was none. */
  readonly body: unknown;
  /** What the cluster warns of (its `Warning` headers), in its words. */
  readonly warnings: readonly string[];
}

/** A cluster's API as it is, with one kubeconfig's user: no retries, no translation, nothing logged. */
export interface ClusterApi {
  readonly server: string;
  send(method: string, path: string, body?: unknown): Promise<ClusterResponse>;
  /** @throws {RefusedByCluster} when the answer is not a success */
  insist(method: string, path: string, body?: unknown): Promise<unknown>;
  close(): Promise<void>;
}

export class RefusedByCluster extends Error {
  override readonly name = 'RefusedByCluster';
}

const TIMEOUT_MS = 20_000;

/** @param kubeconfigFile as KUBECONFIG would name it */
export function openCluster(kubeconfigFile: string): ClusterApi {
  return clusterWith(loadCredentials({ kubeconfig: kubeconfigFile }));
}

/** The same for the text of a kubeconfig. */
export function openClusterOf(kubeconfig: string): ClusterApi {
  return clusterWith(parseCredentials(kubeconfig));
}

function clusterWith(credentials: Credentials): ClusterApi {
  const connections = createConnections(credentials, {
    maxConnections: 8,
    connectTimeoutMs: TIMEOUT_MS,
  });
  const send: ClusterApi['send'] = async (method, path, body) => {
    const { headers, tls } = await credentials.access();
    const answer = await request(`${credentials.server}${path}`, {
      dispatcher: connections.for(tls).of({ verb: 'get' }),
      method: method as 'GET',
      headers: { ...headers, accept: 'application/json', 'content-type': contentType(method) },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const warnings = [answer.headers['warning'] ?? []].flat().map(textOfWarning);
    return { status: answer.statusCode, body: parsed(await answer.body.text()), warnings };
  };
  return {
    server: credentials.server,
    send,
    async insist(method, path, body) {
      const answer = await send(method, path, body);
      if (answer.status < 300) return answer.body;
      throw new RefusedByCluster(
        `the cluster answered ${answer.status} to ${method} ${path}: ${messageOf(answer)}`,
      );
    },
    close: () => connections.close(),
  };
}

/** The cluster's own words on a refusal. They are about the objects of this run, which hold no secrets. */
export function messageOf({ body }: ClusterResponse): string {
  const message = (body as { readonly message?: unknown } | undefined)?.message;
  return typeof message === 'string' ? message : 'no reason given';
}

function contentType(method: string): string {
  return method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
}

/** `299 - "text"`, with quotes and backslashes escaped (RFC 9111, section 5.5). */
function textOfWarning(header: string): string {
  return /^\d{3} \S+ "(.*)"$/.exec(header)?.[1]?.replaceAll(/\\(.)/g, '$1') ?? header;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // such as the plain text of a path that the cluster does not have
  }
}
