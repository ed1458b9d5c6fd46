/** A demo account of the development identity provider. Its password is no secret: the login page shows it. */
export interface DemoAccount {
  readonly sub: string;
  readonly email: string;
  readonly name: string;
  readonly password: string;
  readonly groups: readonly string[];
  /** Set where the provider says that it has not verified the email. */
  readonly emailVerified?: false;
}

export const DEMO_ACCOUNTS: readonly DemoAccount[] = [
  {
    sub: 'demo-admin',
    email: 'admin@example.com',
    name: 'Ada Admin',
    password: 'admin-password',
    groups: ['platform-admins'],
  },
  {
    sub: 'demo-developer-a',
    email: 'developer-a@example.com',
    name: 'Alex Developer',
    password: 'developer-a-password',
    groups: ['team-a'],
  },
  {
    sub: 'demo-developer-b',
    email: 'developer-b@example.com',
    name: 'Blake Developer',
    password: 'developer-b-password',
    groups: ['team-b'],
  },
  {
    sub: 'demo-guest',
    email: 'guest@example.com',
    name: 'Gale Guest',
    password: 'guest-password',
    groups: [],
  },
];

/** An account that the service must refuse although it is in the administrators' group. */
export const UNVERIFIED_ACCOUNT: DemoAccount = {
  sub: 'demo-unverified',
  email: 'unverified@example.com',
  name: 'Uma Unverified',
  password: 'unverified-password',
  groups: ['platform-admins'],
  emailVerified: false,
};

const ALL_ACCOUNTS: readonly DemoAccount[] = [...DEMO_ACCOUNTS, UNVERIFIED_ACCOUNT];

export function findAccountByEmail(email: string): DemoAccount | undefined {
  const wanted = email.trim().toLowerCase();
  return ALL_ACCOUNTS.find((account) => account.email === wanted);
}

export function findAccountBySub(sub: string): DemoAccount | undefined {
  return ALL_ACCOUNTS.find((account) => account.sub === sub);
}
