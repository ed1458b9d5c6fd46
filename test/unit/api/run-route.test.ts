import { PassThrough } from 'node:stream';
import { afterEach, expect, it, vi } from 'vitest';
import { runRoute } from '../../../src/api/runner/run-route.ts';
import type { RequestContext } from '../../../src/api/runner/route.ts';
import { apiRoutes } from '../../../hack/openapi/document.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const nothing = (): void => undefined;
const atOnce = { run: (_where: unknown, work: () => unknown) => work() };
const services = {
  authentication: {
    authenticate: () =>
      Promise.resolve({
        user: { sub: 'ada', email: 'ada@example.com', name: 'Ada', groups: [] },
        sessionId: 'id',
      }),
  },
  ...{ everyoneIsAdmin: true, personLimiter: nothing, loginLimiter: nothing },
  authorizer: { requireScope: (namespace: string) => namespace },
  bodies: { open: () => ({ reserve: nothing, complete: nothing, release: nothing }) },
  seats: { clusterWork: atOnce, signIns: atOnce },
  audit: { succeeded: nothing, failed: nothing },
};

it.each([
  ['a body of JSON', 'createSecret', 'application/json', 30_000],
  ['a form', 'redeemTerminalCode', 'application/x-www-form-urlencoded', 10_000],
])('the time that a client takes to send %s does not count', async (_what, operationId, type, budgetMs) => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const request = Object.assign(new PassThrough(), {
    ...{ originalUrl: '/', params: { namespace: 'shop' } },
    headers: { 'content-type': type, 'transfer-encoding': 'chunked' },
  });
  const response = {
    locals: { trace: { origin: { requestId: 'r', clientAddress: '192.0.2.7' } } },
    status: () => ({ json: nothing }),
  };
  let remainingMs = 0;
  const handle = ({ deadline }: RequestContext) => {
    remainingMs = deadline.remainingMs();
    return { status: 200, json: {} };
  };
  const route = { ...apiRoutes().find((one) => one.operationId === operationId), handle };
  const answered = runRoute(route as never, services as never)(request as never, response as never, nothing);
  now = budgetMs - 1;
  request.end('{}');
  await answered;
  expect(remainingMs).toBe(budgetMs);
});
