import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { expect } from 'vitest';
import type { SessionUser } from '../../src/access/actor.ts';
import { PUBLIC_CLIENT_ID } from '../../hack/dev-idp/configuration.ts';
import { startDevIdp, type DevIdp } from '../../hack/dev-idp/start-dev-idp.ts';
import { freePort } from '../harness/free-port.ts';
import { startInProcessStack, type InProcessStack } from '../harness/in-process-stack.ts';
import { createProfile, type Profile, type Visit } from './profiles.ts';
import { eventually } from '../harness/eventually.ts';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium-headless-shell';
/** A namespace of thousands of Secrets takes its time, the more so on a busy machine. */
const NAMESPACES_GONE_MS = 50_000;

/** A browser, the service with its pages, its cluster and its identity provider. */
export interface BrowserFixture {
  readonly stack: InProcessStack;
  readonly idp: DevIdp;
  /**
   * A tab in the profile of `user`, which is shared by all tests of a file: what a profile has loaded and
   * compiled once is there for the next. Tests leave the cookies of a shared profile alone.
   */
  readonly visit: (user: SessionUser) => Promise<Visit>;
  /** A tab in a profile that is made for it, for a test that changes more than its tab: cookies, permissions, time. */
  readonly visitInNewContext: (user?: SessionUser, locale?: string) => Promise<Visit>;
  readonly close: () => Promise<void>;
}

/** The service with its pages, its cluster and its identity provider, for a browser. */
export type PagesStack = Pick<BrowserFixture, 'stack' | 'idp' | 'close'>;

type Settings = Readonly<Record<string, string>>;

/**
 * The files of a worker share a browser, and a stack that each leaves without namespaces of its own: they take longer to
 * start than most files take to run. They end with the worker's process.
 */
const shared: { browser?: Promise<Browser>; pages?: Promise<PagesStack> } = {};

// The worker's process is ended by a signal, after which nothing is closed in order.
const folder = mkdtempSync(join(tmpdir(), 'browser-tests-'));
process.env['TMPDIR'] = folder;
process.once('SIGTERM', () => {
  // After the browser's own listener, which ends it.
  process.once('exit', () => {
    rmSync(folder, { recursive: true, force: true });
  });
  process.exit();
});

/** @param settings of the service on top of the usual ones: with any, the stack is not shared */
export function openPagesStack(settings?: Settings): Promise<PagesStack> {
  if (settings !== undefined) return startPagesStack(settings);
  shared.pages ??= startSharedStack();
  return shared.pages;
}

async function startSharedStack(): Promise<PagesStack> {
  const { stack, idp } = await startPagesStack();
  const { kube } = stack;
  const own = await kube.listNamespaces();
  const others = async () => (await kube.listNamespaces()).filter((name) => !own.includes(name));
  return {
    ...{ stack, idp },
    async close() {
      for (const name of await others()) {
        await kube.removeFinalizers(name);
        await kube.deleteNamespace(name);
      }
      await eventually(async () => {
        expect(await others()).toEqual([]);
      }, NAMESPACES_GONE_MS);
    },
  };
}

async function startPagesStack(settings: Settings = {}): Promise<PagesStack> {
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
      ...settings,
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

/** @param settings of the service on top of the usual ones: with any, the stack is not shared */
export async function openBrowserFixture(settings?: Settings): Promise<BrowserFixture> {
  const { stack, idp, close } = await openPagesStack(settings);
  const browser = await (shared.browser ??= launchBrowser());
  const profiles = new Map<string, Promise<Profile>>();
  const profileOf = (user: SessionUser): Promise<Profile> => {
    const known = profiles.get(user.email) ?? openProfile(browser, stack.url, user);
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
        // An empty document: a whole one is laid out again, without what is emulated for the tab, while it closes.
        if (page.url().startsWith(stack.url))
          await page.evaluate('localStorage.clear(), document.documentElement.remove()');
        await page.close();
      });
    },
    visitInNewContext: async (user, locale) =>
      newVisit(await createProfile(browser, stack.url, user, locale), ({ context }) => context.close()),
    async close() {
      for (const context of browser.contexts()) await context.close();
      await close();
    },
  };
}

/** A profile with a tab of the service that stays open, and with it the process that has compiled the pages: its tabs share it. */
async function openProfile(browser: Browser, url: string, user: SessionUser): Promise<Profile> {
  const profile = await createProfile(browser, url, user);
  const tab = await profile.newTab();
  await tab.goto('/api/config');
  return { ...profile, newTab: () => profile.newTab(tab) };
}

const DISABLED_FEATURES = [
  // It compiles in the background what the process has compiled before.
  'ScriptStreaming',
  // Chromium reads the last list only. These are Playwright's for a browser without a window.
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
  ...['HttpsFirstBalancedModeAutoEnable', 'PaintHolding', 'ThirdPartyStoragePartitioning'],
];

function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      ...['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-sync'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-dev-shm-usage'],
      // With a tab that stays open, see openProfile: a process for each tab would compile everything again.
      '--process-per-site',
      // What a test runs once takes longer to optimize than to run.
      '--js-flags=--no-opt --no-maglev',
      `--disable-features=${DISABLED_FEATURES.join(',')}`,
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
