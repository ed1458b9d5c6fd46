import type { SessionUser } from '../../access/actor.ts';
import type { Settings } from '../../config/settings.ts';
import type { Logger } from '../../observability/logger.ts';
import { serializeCookie, type Cookies, type SetCookie } from '../session/cookies.ts';
import type { Sessions } from '../session/sessions.ts';
import { LoginFailure, type UserInfoState } from './login-failure.ts';
import { consumedTransaction } from './transaction.ts';

/**
 * The size of a response head that nginx accepts by default (`proxy_buffer_size`: one page of memory, usually 4 KiB).
 * It answers 502 instead of a longer one.
 */
const DEFAULT_PROXY_BUFFER_BYTES = 4_096;
const LARGE_HEAD_HINT =
  'nginx answers 502 unless proxy_buffer_size is raised. Set SERVICE_GROUPS_FILTER or SERVICE_COMPACT_SESSIONS=true, or give the proxy larger buffers.';

/**
 * Makes sessions of users, with the groups that the filter keeps. Warns once per process when a response is larger than a proxy accepts by default: the service never sees the error
 * that such a proxy sends to the browser.
 */
export function createSessionIssuer(
  sessions: Sessions,
  { access, production }: Pick<Settings, 'access' | 'production'>,
) {
  const keepGroups = createGroupFilter(access.groupsFilter, access.adminGroups);
  let hasWarned = false;
  /** The last part of a callback. `present` are the cookies of its request. @throws {LoginFailure} */
  return async (identified: SessionUser, userInfo: UserInfoState, present: Cookies, logger: Logger) => {
    const user = { ...identified, groups: keepGroups(identified.groups) };
    const count = user.groups.length;
    const issued = await sessions.issue(user, present);
    if (issued.outcome === 'invalidKey') throw new LoginFailure('invalid_signing_key');
    if (issued.outcome === 'tooLarge') {
      const { bytes, limit } = issued;
      throw new LoginFailure('session_too_large', { bytes, limit, count, idpError: 'session_too_large' });
    }
    const cookies = [...consumedTransaction(production), ...issued.cookies];
    const headerBytes = OTHER_BYTES + cookies.map(headerLine).join('').length;
    const groupsLeftOut = identified.groups.length - count;
    const size = { count, groupsLeftOut, cookieCount: issued.parts, headerBytes };
    logger.info('signed in', { actor: user.email, userInfo, ...size });
    if (headerBytes > DEFAULT_PROXY_BUFFER_BYTES && !hasWarned) {
      hasWarned = true;
      logger.warn('sign-in answers exceed what proxies take by default', { ...size, hint: LARGE_HEAD_HINT });
    }
    return { user, sessionId: issued.sessionId, cookies };
  };
}

/**
 * The head of the callback's response without its cookies: status line, security headers, request id and date. A
 * contract test compares it with a complete response in production.
 */
const OTHER_BYTES = 1_000;

const headerLine = (cookie: SetCookie): string => `Set-Cookie: ${serializeCookie(cookie)}\r\n`;

/**
 * Keeps the groups that a pattern matches (SERVICE_GROUPS_FILTER), and always those in `alwaysKept`: the
 * administrators' groups, which a filter must not take away by mistake. Without patterns every group is kept.
 *
 * `*` in a pattern matches any characters, or none. Everything else matches exactly, including case.
 */
export function createGroupFilter(patterns: readonly string[], alwaysKept: readonly string[] = []) {
  if (patterns.length === 0) return (groups: readonly string[]) => groups;
  const names = new Set(alwaysKept);
  const globs = patterns.map(createGlob);
  return (groups: readonly string[]) =>
    groups.filter((group) => names.has(group) || globs.some((matches) => matches(group)));
}

/**
 * The text before the first `*` must begin the name, and the text behind the last must end it. The parts between are
 * matched at their first occurrence in order, which finds a match if there is one.
 */
function createGlob(pattern: string): (text: string) => boolean {
  const [start = '', ...between] = pattern.split('*');
  const end = between.pop();
  if (end === undefined) return (text) => text === pattern;
  return (text) => {
    const limit = text.length - end.length;
    if (limit < start.length || !text.startsWith(start) || !text.endsWith(end)) return false;
    let position = start.length;
    for (const part of between) {
      const found = text.indexOf(part, position);
      if (found === -1 || found + part.length > limit) return false;
      position = found + part.length;
    }
    return true;
  };
}
