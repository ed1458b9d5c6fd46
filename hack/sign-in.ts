import { parseArgs } from 'node:util';
import { DEMO_ACCOUNTS, findAccountByEmail } from './dev-idp/accounts.ts';
import { SignInFailed, signInOverHttp } from './sign-in-over-http.ts';

// hack/sign-in --account developer-a@example.com [--url http://localhost:3000]

const USAGE = `Usage: hack/sign-in --account EMAIL [--url http://localhost:3000]
Accounts: ${DEMO_ACCOUNTS.map(({ email }) => email).join(', ')}`;

function readArguments() {
  try {
    const { values } = parseArgs({
      options: { account: { type: 'string' }, url: { type: 'string', default: 'http://localhost:3000' } },
    });
    const account = findAccountByEmail(values.account ?? '');
    return account !== undefined && URL.canParse(values.url) ? { account, url: values.url } : undefined;
  } catch {
    return undefined; // an unknown option: the usage says all there is to say
  }
}

function messageFor(error: unknown, url: string): string {
  if (error instanceof SignInFailed) return error.message;
  const { cause } = error as { cause?: { code?: string } };
  return `The login did not get through, starting at ${url} (${cause?.code ?? 'no answer'})`;
}

const input = readArguments();
if (input === undefined) {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  try {
    const { email, password } = input.account;
    console.log(await signInOverHttp({ serviceUrl: input.url, account: email, password }));
  } catch (error) {
    console.error(messageFor(error, input.url));
    process.exitCode = 1;
  }
}
