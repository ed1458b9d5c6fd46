import type { Actor, SessionUser } from '../../../src/access/actor.ts';

/** A signed-in user; whatever a test does not care about is plain. */
export function user(overrides: Partial<SessionUser> = {}): SessionUser {
  return { sub: 'sub-1', email: 'dev@example.com', name: 'Dev', groups: ['team-a'], ...overrides };
}

export function actor(overrides: Partial<SessionUser> = {}): Actor {
  return { user: user(overrides), admin: false };
}

export function admin(overrides: Partial<SessionUser> = {}): Actor {
  return {
    user: user({ email: 'admin@example.com', groups: ['platform-admins'], ...overrides }),
    admin: true,
  };
}
