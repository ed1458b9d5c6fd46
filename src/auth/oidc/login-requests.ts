import type * as client from 'openid-client';
import type { LoginFailure, LoginStage } from './login-failure.ts';
import type { ProviderRequest } from './provider-fetch.ts';

/** The requests of one login to the provider. */
export interface LoginRequests {
  readonly fetch: client.CustomFetch;
  /** Adds the stage of the last request, unless the failure has one, and the status of the response. */
  locate(failure: LoginFailure): LoginFailure;
}

/** The requests of a discovery. */
export function discoveryRequests(request: ProviderRequest): LoginRequests {
  return recordedRequests(request, () => 'discovery', 'discovery');
}

/**
 * The requests of a callback, which all end with `deadline`. The token endpoint is called once, because a code can be
 * redeemed only once: a second attempt with other keys gets the same response again.
 */
export function callbackRequests(
  request: ProviderRequest,
  { userinfo_endpoint }: Pick<client.ServerMetadata, 'userinfo_endpoint'>,
  deadline: AbortSignal,
): LoginRequests {
  const userInfo = userinfo_endpoint === undefined ? undefined : new URL(userinfo_endpoint).href;
  let tokens: Response | undefined;
  const once: ProviderRequest = async (url, init) => {
    if (init.method === 'POST' && tokens !== undefined) return tokens.clone();
    const signal = init.signal ? AbortSignal.any([init.signal, deadline]) : deadline;
    const response = await request(url, { ...init, signal });
    if (init.method !== 'POST') return response;
    tokens = response;
    return tokens.clone();
  };
  return recordedRequests(
    once,
    (url, method) => (method === 'POST' ? 'token' : url === userInfo ? 'userinfo' : 'keys'),
    'callback',
  );
}

function recordedRequests(
  request: ProviderRequest,
  stageOf: (url: string, method: string | undefined) => LoginStage,
  first: LoginStage,
): LoginRequests {
  const statuses = new Map<LoginStage, number>();
  let last = first;
  return {
    fetch: async (url, init) => {
      last = stageOf(url, init.method);
      const stage = last;
      statuses.delete(stage);
      const response = await request(url, init as RequestInit);
      statuses.set(stage, response.status);
      return response;
    },
    locate: (failure) => {
      const { stage = last } = failure.details;
      return failure.with({ stage, status: statuses.get(stage) });
    },
  };
}
