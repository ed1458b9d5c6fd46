import { chromium, type Browser } from 'playwright-core';
import { expect } from 'vitest';
import type { SessionUser } from '../../src/access/actor.ts';
import { PUBLIC_CLIENT_ID } from '../../hack/dev-idp/configuration.ts';
import { startDevIdp, type DevIdp } from '../../hack/dev-idp/start-dev-idp.ts';
import { freePort } from '../harness/free-port.ts';
import { startInProcessStack, type InProcessStack } from '../harness/in-process-stack.ts';
import { createProfile, type Profile, type Visit } from './profiles.ts';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** A browser, the service with its pages, its cluster and its identity provider. */
export interface BrowserFixture {
  readonly stack: InProcessStack;
  readonly idp: DevIdp;
  /**
   * A tab in the profile of `user`, which is shared by all tests of a file: what a browser has loaded and
   * compiled once is there for the next. Tests leave the cookies of a shared profile alone.
   */
  readonly visit: (user: SessionUser) => Promise<Visit>;
  /** A tab in a profile that is made for it, signed in or not, to do anything with. */
  readonly visitInNewContext: (user?: SessionUser, locale?: string) => Promise<Visit>;
  readonly close: () => Promise<void>;
}

/** The service with its pages, its cluster and its identity provider, for a browser. */
export type PagesStack = Pick<BrowserFixture, 'stack' | 'idp' | 'close'>;

/** @param env settings of the service on top of the usual ones */
export async function startPagesStack(env: Readonly<Record<string, string>> = {}): Promise<PagesStack> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const idp = await startDevIdp({ port: 0, redirectUris: [`${url}/api/auth/callback`] });
  const stack = await startInProcessStack({
    env: {
      PORT: String(port),
      NEXT_PUBLIC_APP_URL: url,
      OIDC_ISSUER: idp.issuer,
      OIDC_CLIENT_ID: PUBLIC_CLIENT_ID,
      OIDC_ALLOW_HTTP: 'true',
      LOG_LEVEL: 'warn',
      ...env,
    },
  });
  return {
    stack,
    idp,
    async close() {
      await stack.close();
      await idp.close();
    },
  };
}

/** @param env settings of the service on top of the usual ones */
export async function startBrowserFixture(
  env: Readonly<Record<string, string>> = {},
): Promise<BrowserFixture> {
  const { stack, idp, close } = await startPagesStack(env);
  const browser = await launchBrowser();
  const profiles = new Map<string, Promise<Profile>>();
  const profileOf = (user: SessionUser): Promise<Profile> => {
    const known = profiles.get(user.email) ?? createProfile(browser, stack.url, user);
    profiles.set(user.email, known);
    return known;
  };
  return {
    stack,
    idp,
    async visit(user) {
      const profile = await profileOf(user);
      return newVisit(profile, async ({ page }) => {
        // The next test finds a profile that remembers nothing.
        if (page.url().startsWith(stack.url)) await page.evaluate('localStorage.clear()');
        await page.close();
      });
    },
    visitInNewContext: async (user, locale) =>
      newVisit(await createProfile(browser, stack.url, user, locale), ({ context }) => context.close()),
    async close() {
      await browser.close();
      await close();
    },
  };
}

function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      ...['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-sync'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-dev-shm-usage'],
    ],
  });
}

async function newVisit(
  profile: Profile,
  close: (visit: Pick<Visit, 'page' | 'context'>) => Promise<void>,
): Promise<Visit> {
  const page = await profile.newTab();
  const { context } = profile;
  return {
    page,
    context,
    complaints: profile.complaintsOf(page),
    open: (path) => page.goto(path),
    async close() {
      expect(profile.complaintsOf(page)).toEqual([]);
      await close({ page, context });
    },
  };
}
