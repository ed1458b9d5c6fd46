import { emailKey } from '../contract/email.ts';
import { haveCommon } from '../contract/access-rules.ts';
import type { TokenClaims } from '../contract/token-claims.ts';

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

/** A signed-in person, and whether they are an administrator, who is above access rules and policies. */
export interface Person {
  readonly user: SessionUser;
  readonly admin: boolean;
  readonly machine?: never;
}

/** The verified token of a machine: all that a decision about it depends on. */
export interface MachineToken {
  /** The configured name of its issuer. */
  readonly issuer: string;
  readonly claims: TokenClaims;
  /** Whether tokens of this age were ended early for an identity. */
  readonly isEnded: (identity: string) => boolean;
}

/**
 * A machine, which is never an administrator, and never named by a list of people. Its user is the binding that lets it
 * in: {@link machineUnder}.
 */
export interface Machine {
  readonly user: SessionUser;
  readonly admin: false;
  readonly machine: MachineToken;
}

/** Who sends a request. */
export type Actor = Person | Machine;

/** A machine by the identity of a binding. */
export function machineUnder(machine: MachineToken, identity: string): Machine {
  return { user: { sub: identity, email: identity, name: identity, groups: [] }, admin: false, machine };
}

export interface Admins {
  /** Emails; compared by {@link emailKey}. */
  readonly users: readonly string[];
  /** Groups; compared exactly. */
  readonly groups: readonly string[];
}

/** Makes the actor for a signed-in user under the configured admins. */
export function actorFor(user: SessionUser, admins: Admins): Person {
  const email = emailKey(user.email);
  const admin =
    admins.users.some((candidate) => emailKey(candidate) === email) || haveCommon(user.groups, admins.groups);
  return { user, admin };
}
