import { parseArgs } from 'node:util';
import { DEMO_ACCOUNTS } from './accounts.ts';
import { PUBLIC_CLIENT_ID } from './configuration.ts';
import { startDevIdp } from './start-dev-idp.ts';

// npm run dev:idp -- [--port 3001] [--client-redirect URL ...]

const DEFAULT_REDIRECT = 'http://localhost:3000/api/auth/callback';

function readArguments(): { port: number; redirectUris: readonly string[] } {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '3001' },
      'client-redirect': { type: 'string', multiple: true },
    },
  });
  const port = Number(values.port);
  const redirectUris = values['client-redirect'] ?? [DEFAULT_REDIRECT];
  if (!/^[0-9]{1,5}$/.test(values.port) || port > 65_535) throw new TypeError('--port must be a port number');
  if (!redirectUris.every((uri) => URL.canParse(uri))) throw new TypeError('--client-redirect must be a URL');
  return { port, redirectUris };
}

function messageFor(error: unknown, port: number): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    return `Port ${port} is in use. Choose another with --port (or DEV_IDP_PORT for make run).`;
  }
  return code === 'EACCES' ? `Port ${port} may not be used by this user.` : message;
}

async function main(): Promise<void> {
  let port = 0;
  try {
    const input = readArguments();
    port = input.port;
    const idp = await startDevIdp({
      ...input,
      onServerError: (error) => {
        console.error(`development identity provider failed: ${error.message}`);
      },
    });
    console.log(`Development identity provider: ${idp.issuer} (client ${PUBLIC_CLIENT_ID}, PKCE)`);
    for (const { email, password } of DEMO_ACCOUNTS) console.log(`  ${email}  ${password}`);
    const stop = (): void => void idp.close();
    process.once('SIGINT', stop);
    process.once('SIGTERM', stop);
  } catch (error) {
    console.error(messageFor(error, port));
    process.exitCode = 1;
  }
}

await main();
