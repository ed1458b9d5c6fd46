import { startServiceFixture, type ComposedService } from '../../contract/sign-in/composed-service.ts';
import { startTogether, type OnClose } from '../../harness/closing.ts';
import { createBrowser, type Browser } from '../../harness/glewlwyd/browser.ts';
import { startGlewlwyd, type Glewlwyd, type GlewlwydOptions } from '../../harness/glewlwyd/glewlwyd.ts';
import type { ClientOptions } from '../../harness/glewlwyd/objects.ts';
import { signInAtGlewlwyd, type Account } from '../../harness/glewlwyd/sign-in.ts';

export const ANNA: Account = { username: 'anna', password: 'the password of anna' };
export const ANNA_USER = { email: 'anna@example.com', name: 'Anna', groups: ['team-a', 'team-b'] };

/** Has every character that some way of sending a client's secret changes. */
export const AWKWARD_SECRET = "se-cr_et.~+/=:%41 !*'()&ü";

export interface ServiceOptions {
  readonly provider: string;
  readonly client?: Pick<ClientOptions, 'secret' | 'authMethod'>;
  /** On top of what the provider and the client need. */
  readonly env?: Readonly<Record<string, string>>;
}

/** One Glewlwyd, and services that are registered there, each as a client of its own. */
export interface Fixture {
  readonly glewlwyd: Glewlwyd;
  startService(options: ServiceOptions): Promise<ComposedService>;
  close(): Promise<void>;
}

export function startFixture(options: GlewlwydOptions = {}): Promise<Fixture> {
  return startTogether((onClose) => startAll(options, onClose));
}

async function startAll(options: GlewlwydOptions, onClose: OnClose): Promise<Omit<Fixture, 'close'>> {
  const glewlwyd = await startGlewlwyd(options);
  onClose(() => glewlwyd.close());
  const fixture = await startServiceFixture();
  onClose(() => fixture.close());
  await glewlwyd.addUser({ ...ANNA, ...ANNA_USER });
  let clients = 0;
  return {
    glewlwyd,
    startService: ({ provider, client = {}, env = {} }) =>
      fixture.start(async (url) => {
        const id = `client-${++clients}`;
        await glewlwyd.addClient({ id, redirectUri: `${url}/api/auth/callback`, ...client });
        return {
          OIDC_ISSUER: glewlwyd.issuer(provider),
          OIDC_ALLOW_HTTP: 'true',
          OIDC_CLIENT_ID: id,
          ...(client.secret === undefined ? {} : { OIDC_CLIENT_SECRET: client.secret }),
          ...(client.authMethod === undefined ? {} : { OIDC_CLIENT_AUTH_METHOD: client.authMethod }),
          ...env,
        };
      }),
  };
}

/** Where a sign-in ended, and who the service then takes the browser for. */
export interface SignedIn {
  readonly landedAt: string | undefined;
  readonly user: unknown;
  readonly browser: Browser;
}

export async function signIn(
  serviceUrl: string,
  account = ANNA,
  browser = createBrowser(),
): Promise<SignedIn> {
  const { location } = await signInAtGlewlwyd(browser, serviceUrl, account);
  return { landedAt: location, user: await whoIs(browser, serviceUrl), browser };
}

/** The user of the browser's session; null without one. */
export async function whoIs(browser: Browser, serviceUrl: string): Promise<unknown> {
  const { text } = await browser.get(new URL('/api/auth/me', serviceUrl));
  return (JSON.parse(text) as { readonly user: unknown }).user;
}
