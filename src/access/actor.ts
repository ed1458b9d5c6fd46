import { emailKey } from '../contract/email.ts';
import { haveCommon } from '../contract/access-rules.ts';

/** The signed-in user, as the session carries it and `/api/auth/me` returns it. */
export interface SessionUser {
  /** Nonempty subject from the identity provider. */
  readonly sub: string;
  /** The identity, as the provider spells it; compared by {@link emailKey}. */
  readonly email: string;
  /** For display only. */
  readonly name: string;
  /** Authorization input, compared exactly. */
  readonly groups: readonly string[];
}

/** The user who sends a request, and whether they are an administrator, who is above access rules and policies. */
export interface Actor {
  readonly user: SessionUser;
  readonly admin: boolean;
}

export interface Admins {
  /** Emails; compared by {@link emailKey}. */
  readonly users: readonly string[];
  /** Groups; compared exactly. */
  readonly groups: readonly string[];
}

/** Makes the actor for a signed-in user under the configured admins. */
export function actorFor(user: SessionUser, admins: Admins): Actor {
  const email = emailKey(user.email);
  const admin =
    admins.users.some((candidate) => emailKey(candidate) === email) || haveCommon(user.groups, admins.groups);
  return { user, admin };
}
