import { describe, expect, it } from 'vitest';
import { createAudit } from '../../../../src/api/runner/audit.ts';
import { authRoutes } from '../../../../src/api/routes/auth-routes.ts';
import type { RequestContext } from '../../../../src/api/runner/route.ts';
import type { Authentication } from '../../../../src/auth/authentication.ts';
import { ServiceError } from '../../../../src/errors/service-error.ts';
import { recordingLogger } from '../../observability/log-lines.ts';

const COOKIE = 'service_session=token';
const CLEARED = 'service_session=; Max-Age=0';

/** Signs out by both methods while it cannot be said whether a session is valid. */
function signOutWhile(authenticate: () => Promise<never>) {
  const { logger, lines } = recordingLogger();
  const authentication = {
    authenticate,
    sessionId: () => 'hash',
    presentsSession: () => true,
    end: () => [CLEARED],
  } as unknown as Authentication;
  const context = {
    services: { authentication, audit: createAudit(logger) },
    request: { headers: { cookie: COOKIE } },
    origin: { requestId: 'r', clientAddress: '192.0.2.7' },
  } as unknown as RequestContext;
  const answers = authRoutes.flatMap((route) =>
    route.path === '/api/auth/logout' ? [Promise.resolve(route.handle(context as never))] : [],
  );
  return { answers, lines };
}

describe('signing out', () => {
  it('clears the cookie also while no one can say whether the session is valid, and names no one', async () => {
    const { answers, lines } = signOutWhile(() => Promise.reject(new ServiceError('unavailable', 'x')));
    expect(await Promise.all(answers)).toMatchObject([{ setCookies: [CLEARED] }, { setCookies: [CLEARED] }]);
    expect(lines()).toEqual([]);
  });

  it('does not hide a defect', async () => {
    const { answers } = signOutWhile(() => Promise.reject(new TypeError('a defect')));
    for (const answer of answers) await expect(answer).rejects.toThrow('a defect');
  });
});
