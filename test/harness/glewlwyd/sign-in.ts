import type { Browser, BrowserResponse } from './browser.ts';

export interface Account {
  readonly username: string;
  readonly password: string;
}

/**
 * Signs in at Glewlwyd, the way its login page does: the page reads its address, sends name and password, grants the
 * client what it requests, and goes back to where the login began.
 * @returns the service's answer to the callback, whatever it is
 */
export async function signInAtGlewlwyd(
  browser: Browser,
  serviceUrl: string,
  account: Account,
): Promise<BrowserResponse> {
  return browser.get(await callbackFor(browser, serviceUrl, account));
}

/** As far as the address of the callback, which the provider has redirected to and no one has visited yet. */
export async function callbackFor(browser: Browser, serviceUrl: string, account: Account): Promise<URL> {
  const authorization = redirect(await browser.get(new URL('/api/auth/login', serviceUrl)), serviceUrl);
  return callbackFrom(browser, authorization, account);
}

/** From the address that a browser opens at the provider to that of the callback. */
export async function callbackFrom(browser: Browser, authorization: URL, account: Account): Promise<URL> {
  const loginPage = redirect(await browser.get(authorization), authorization.href);
  const parameter = (name: string): string => {
    const value = loginPage.searchParams.get(name);
    if (value === null) throw new Error(`the login page's address has no ${name}: ${loginPage.pathname}`);
    return value;
  };
  const api = new URL('/api/', loginPage);
  await succeed(browser.send('POST', new URL('auth/', api), account));
  const grant = new URL(`auth/grant/${encodeURIComponent(parameter('client_id'))}`, api);
  await succeed(browser.send('PUT', grant, { scope: parameter('scope') }));
  const goOn = new URL(parameter('callback_url'));
  goOn.searchParams.set('g_continue', '');
  return redirect(await browser.get(goOn), goOn.href);
}

function redirect({ status, location }: BrowserResponse, from: string): URL {
  if (location === undefined) throw new Error(`${new URL(from).pathname}: ${status} instead of a redirect`);
  return new URL(location, from);
}

async function succeed(sent: Promise<BrowserResponse>): Promise<void> {
  const { status } = await sent;
  if (status !== 200) throw new Error(`Glewlwyd's login answered ${status}`);
}
