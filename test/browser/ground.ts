import { AxeBuilder } from '@axe-core/playwright';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { expect } from 'vitest';
import type { SessionUser } from '../../src/access/actor.ts';
import { PUBLIC_CLIENT_ID } from '../../hack/dev-idp/configuration.ts';
import { startDevIdp, type DevIdp } from '../../hack/dev-idp/start-dev-idp.ts';
import { sessionCookie } from '../harness/api-client.ts';
import { freePort } from '../harness/free-port.ts';
import { startInProcessStack, type InProcessStack } from '../harness/in-process-stack.ts';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const ACTION_TIMEOUT_MS = 10_000;

export type Theme = 'light' | 'dark';
export type Width = 'wide' | 'narrow';

const VIEWPORTS = { wide: { width: 1280, height: 800 }, narrow: { width: 360, height: 740 } } as const;

/** A browser, the service with its pages, its cluster and its identity provider. */
export interface BrowserGround {
  readonly stack: InProcessStack;
  readonly idp: DevIdp;
  /** A fresh browser profile, signed in as `user` or not at all. */
  readonly visit: (
    user?: SessionUser,
    look?: { readonly theme?: Theme; readonly width?: Width },
  ) => Promise<Visit>;
  readonly close: () => Promise<void>;
}

/** One profile with one tab, and everything that went wrong in it. */
export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Console errors, page errors, and violations of the content security policy or of Trusted Types. */
  readonly complaints: readonly string[];
  readonly open: (path: string) => Promise<unknown>;
  /** Another tab of the same profile; complaints are the profile's. */
  readonly newTab: () => Promise<Visit>;
  readonly close: () => Promise<void>;
}

export async function startBrowserGround(): Promise<BrowserGround> {
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
    },
  });
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: [
      ...['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-sync'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-dev-shm-usage'],
    ],
  });
  return {
    stack,
    idp,
    visit: (user, look = {}) => newVisit(browser, stack.url, user, look),
    async close() {
      await browser.close();
      await stack.close();
      await idp.close();
    },
  };
}

async function newVisit(
  browser: Browser,
  url: string,
  user: SessionUser | undefined,
  { theme = 'light', width = 'wide' }: { readonly theme?: Theme; readonly width?: Width },
): Promise<Visit> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: VIEWPORTS[width],
    colorScheme: theme,
    locale: 'en-GB',
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(ACTION_TIMEOUT_MS);
  if (user !== undefined) await signIn(context, url, user);
  const complaints: string[] = [];
  await context.exposeFunction('complain', (text: string) => void complaints.push(text));
  // In-page code is text: the tests' own types know no browser.
  await context.addInitScript({
    content: `document.addEventListener('securitypolicyviolation', (event) => {
      void window.complain('policy: ' + event.violatedDirective + ' ' + event.blockedURI);
    });`,
  });
  context.on('weberror', (error) => complaints.push(`page error: ${error.error().name}`));
  context.on('console', (message) => {
    // The browser itself notes every 4xx; those are part of what is tested.
    const isStatus = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isStatus) complaints.push(`console: ${message.text()}`);
  });
  const newTab = async (): Promise<Visit> => {
    const page = await context.newPage();
    return {
      page,
      context,
      complaints,
      newTab,
      open: (path) => page.goto(path),
      close: () => context.close(),
    };
  };
  return newTab();
}

/** Gives the profile a session that the service takes, as a login would. */
export async function signIn(context: BrowserContext, url: string, user: SessionUser): Promise<void> {
  const cookies = (await sessionCookie(user)).split('; ').map((cookie) => {
    const [name = '', ...value] = cookie.split('=');
    return { name, value: value.join('='), url };
  });
  await context.addCookies(cookies);
}

/** No violation of WCAG 2.2 A and AA, nor of axe's best practices. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`,
  );
  expect(found).toEqual([]);
}

/** Nothing is wider than the window. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const overflow = await page.evaluate<number>(`Math.max(
    ...[document.scrollingElement, document.getElementById('main')].map((element) =>
      element === null ? 0 : element.scrollWidth - element.clientWidth)
  )`);
  expect(overflow).toBe(0);
}
