import type { Gateway } from '../../../src/cluster/transport/gateway.ts';
import { parseList } from '../../../src/cluster/transport/parse-list.ts';
import type { ClusterRequest } from '../../../src/cluster/transport/request.ts';

export interface ScriptedGateway extends Pick<Gateway, 'request'> {
  readonly requests: ClusterRequest[];
}

/** Answers one request after the other with a body, or fails it with an error. */
export function scriptGateway(...answers: readonly unknown[]): ScriptedGateway {
  const requests: ClusterRequest[] = [];
  return {
    requests,
    request: (request) => {
      const answer = answers[requests.length];
      requests.push(request);
      if (requests.length > answers.length) return Promise.reject(new Error('the script is at its end'));
      if (answer instanceof Error) return Promise.reject(answer);
      const text = JSON.stringify(answer);
      const parsed = request.verb === 'list' ? parseList(Buffer.from(text)) : undefined;
      return Promise.resolve({ status: 200, body: answer, ...parsed, bytes: text.length });
    },
  };
}

/** The same, which opens no stream. */
export function scriptLists(...answers: readonly unknown[]) {
  return {
    ...scriptGateway(...answers),
    stream: () => Promise.reject(new Error('unexpected')),
    takeTurn: () => Promise.resolve(),
  };
}
