import type { SessionUser } from '../access/actor.ts';

/** Who every request is with AUTH_DISABLED=true. Local development only. */
export const mockAdmin: SessionUser = Object.freeze({
  sub: 'local-bypass',
  email: 'admin@localhost',
  name: 'Local admin (sign-in is disabled)',
  groups: Object.freeze<string[]>([]),
});
