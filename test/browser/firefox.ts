import { join } from 'node:path';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { debianProgram } from '../harness/debian-program.ts';

/** Generous: a machine that is busy with other things is no failure. */
const TIMEOUT_MS = 20_000;

/** Firefox takes seconds to look for a role and a name in a whole page; a path takes it none. */
const PATHS = {
  button: (name: string) => `//button[${hasName(name)}]`,
  heading: (name: string) => `//*[self::h1 or self::h2][${hasName(name)}]`,
  link: (name: string) => `//a[${hasName(name)}]`,
  menuitem: (name: string) => `//*[@role="menuitem"][${hasName(name)}]`,
  tab: (name: string) => `//*[@role="tab"][starts-with(normalize-space(), "${name}")]`,
  textbox: (name: string) =>
    `//*[self::input or self::textarea][@aria-label="${name}" or @id=//${label(name)}/@for or ancestor::${label(name)}]`,
} as const;

type Role = keyof typeof PATHS;

/** What a field must have says so behind its name. */
const label = (name: string) => `label[starts-with(normalize-space(), "${name}")]`;
const hasName = (name: string) => `@aria-label="${name}" or not(@aria-label) and normalize-space()="${name}"`;

/** A tab of Debian's Firefox, in which things are found by role and name. */
export interface FirefoxTab {
  readonly page: Page;
  /** Console errors, page errors, and violations of the content security policy or of Trusted Types. */
  readonly complaints: readonly string[];
  readonly click: (role: Role, name: string) => Promise<void>;
  readonly fill: (name: string, value: string) => Promise<void>;
  readonly see: (role: Role, name: string) => Promise<void>;
  /** Waits for a text anywhere on the screen. */
  readonly read: (text: string) => Promise<void>;
}

/** Firefox over WebDriver BiDi, which it implements itself: no patched build is needed. */
export function launchFirefox(): Promise<Browser> {
  const { root, env } = debianProgram('firefox-esr');
  return puppeteer.launch({
    browser: 'firefox',
    protocol: 'webDriverBiDi',
    // The program in usr/bin starts this one, from wherever it is installed.
    executablePath: join(root, 'usr/lib/firefox-esr/firefox-esr'),
    env: { ...process.env, ...env },
    defaultViewport: { width: 1280, height: 800 },
    extraPrefsFirefox: {
      // The test may read what the pages copied, without Firefox's own question.
      'dom.events.testing.asyncClipboard': true,
      'ui.prefersReducedMotion': 1,
    },
  });
}

/** @param provider the origin of the identity provider */
export async function openTab(browser: Browser, provider: string): Promise<FirefoxTab> {
  const page = await browser.newPage();
  page.setDefaultTimeout(TIMEOUT_MS);
  const complaints: string[] = [];
  const complain = (text: string) => {
    // The pages of the provider are not what is tested.
    if (!text.includes(provider)) complaints.push(text);
  };
  page.on('console', (message) => {
    if (message.type() === 'error') complain(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => {
    complain(`page error: ${String(error)}`);
  });
  // In-page code is text: the tests' own types know no browser.
  await page.evaluateOnNewDocument(`document.addEventListener('securitypolicyviolation', (event) => {
    console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI);
  });`);
  const find = (role: Role, name: string) => page.locator(`::-p-xpath(${PATHS[role](name)})`);
  return {
    page,
    complaints,
    click: (role, name) => named(`click ${role} ${name}`, find(role, name).click()),
    fill: (name, value) => named(`fill ${name}`, find('textbox', name).fill(value)),
    see: (role, name) => named(`see ${role} ${name}`, find(role, name).wait()),
    read: (text) => named(`read ${text}`, page.locator(`::-p-text(${text})`).wait()),
  };
}

/** A step that fails says which one it was. */
async function named(step: string, done: Promise<unknown>): Promise<void> {
  try {
    await done;
  } catch (error) {
    throw new Error(`Firefox could not ${step}`, { cause: error });
  }
}
