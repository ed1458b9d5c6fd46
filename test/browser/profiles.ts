import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { SessionUser } from '../../src/access/actor.ts';
import { sessionCookie } from '../harness/api-client.ts';

/** Generous: a machine that is busy with other things is no failure. */
const ACTION_TIMEOUT_MS = 20_000;

/** One tab, and everything that went wrong in it. */
export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Console errors, page errors, and violations of the content security policy or of Trusted Types. */
  readonly complaints: readonly string[];
  readonly open: (path: string) => Promise<unknown>;
  /** Fails when there were complaints. */
  readonly close: () => Promise<void>;
}

/** A browser profile: cookies, storage and caches of its own. */
export interface Profile {
  readonly context: BrowserContext;
  /** An empty tab: with `opener` in its process, instead of one that is made for the empty page and given up with it. */
  readonly newTab: (opener?: Page) => Promise<Page>;
  readonly complaintsOf: (page: Page) => readonly string[];
}

export async function createProfile(
  browser: Browser,
  url: string,
  user: SessionUser | undefined,
  locale = 'en-GB',
): Promise<Profile> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 1280, height: 800 },
    colorScheme: 'light',
    locale,
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(ACTION_TIMEOUT_MS);
  if (user !== undefined) await signIn(context, url, user);
  const complaints = new Map<Page, string[]>();
  const complain = (page: Page | null, text: string) => {
    if (page !== null) complaints.get(page)?.push(text);
  };
  await context.exposeBinding('complain', ({ page }, text: string) => {
    complain(page, text);
  });
  // In-page code is text: the tests' own types know no browser.
  await context.addInitScript({
    content: `document.addEventListener('securitypolicyviolation', (event) => {
      void window.complain('policy: ' + event.violatedDirective + ' ' + event.blockedURI);
    });`,
  });
  context.on('weberror', (error) => {
    complain(error.page(), `page error: ${error.error().name}`);
  });
  context.on('console', (message) => {
    // The browser itself notes every 4xx; those are part of what is tested.
    const isStatus = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isStatus) complain(message.page(), `console: ${message.text()}`);
  });
  return {
    context,
    async newTab(opener) {
      const page = await (opener === undefined ? context.newPage() : openFrom(opener));
      complaints.set(page, []);
      return page;
    },
    complaintsOf: (page) => complaints.get(page) ?? [],
  };
}

async function openFrom(opener: Page): Promise<Page> {
  const opened = opener.waitForEvent('popup');
  await opener.evaluate('void open()');
  return await opened;
}

/** Gives the profile a session that the service takes, as a login would. */
export async function signIn(context: BrowserContext, url: string, user: SessionUser): Promise<void> {
  const cookies = (await sessionCookie(user)).split('; ').map((cookie) => {
    const [name = '', ...value] = cookie.split('=');
    return { name, value: value.join('='), url };
  });
  await context.addCookies(cookies);
}
