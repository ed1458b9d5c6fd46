import { parseArgs } from 'node:util';
import { isIdentity } from '../src/contract/email.ts';
import { createSessions, SIGNING_KEY_ADVICE } from '../src/auth/session/sessions.ts';

// hack/mint-session --email admin@example.com --group platform-admins [--group …] [--name NAME] [--hours 8]
// The key comes from SESSION_SECRET: arguments show up in process lists and in shell histories.

const USAGE =
  'Usage: SESSION_SECRET=… hack/mint-session --email EMAIL [--group GROUP]… [--name NAME] [--hours 8]';
const MAX_HOURS = 24 * 7;

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        email: { type: 'string' },
        group: { type: 'string', multiple: true, default: [] },
        name: { type: 'string' },
        hours: { type: 'string', default: '8' },
      },
    });
    const { email = '', group, name, hours } = values;
    const lifetime = Number(hours);
    if (!isIdentity(email) || !(lifetime > 0 && lifetime <= MAX_HOURS)) return undefined;
    return { email, groups: group, name: name ?? email, lifetimeMs: lifetime * 3_600_000 };
  } catch {
    return undefined; // an unknown option: the usage says all there is to say
  }
}

async function mint(input: NonNullable<ReturnType<typeof readArguments>>): Promise<void> {
  const sessions = createSessions({
    sessionSecret: process.env['SESSION_SECRET'],
    now: Date.now,
    secureCookies: true,
  });
  const { email, name, groups, lifetimeMs } = input;
  const user = { sub: `minted:${email}`, email, name, groups };
  const issued = await sessions.issue(user, undefined, lifetimeMs);
  if (issued.outcome === 'issued') {
    console.log(issued.cookies.map((cookie) => `${cookie.name}=${cookie.value}`).join('; '));
    return;
  }
  process.exitCode = 1;
  console.error(
    issued.outcome === 'invalidKey'
      ? SIGNING_KEY_ADVICE[issued.problem]
      : `The session would take ${issued.bytes} bytes, more than browsers and servers accept: fewer groups, please`,
  );
}

const input = readArguments();
if (input === undefined) {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  await mint(input);
}
