import type { SessionUser } from '../access/actor.ts';

/** The user of every request with AUTH_DISABLED=true. For local development only. */
export const mockAdmin: SessionUser = Object.freeze({
  sub: 'local-bypass',
  email: 'admin@localhost',
  name: 'Local admin (sign-in is disabled)',
  groups: Object.freeze<string[]>([]),
});
