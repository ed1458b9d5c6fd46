import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { PAGE_ROUTES, BEGIN_LOGIN_PATH } from '../../contract/page-routes.ts';
import { codingHeaders, contentCoding } from '../../server/server.ts';
import type { PageRoute } from '../runner/route.ts';
import type { ResponseHeaders, RouteResponse } from '../runner/route-response.ts';
import { identify } from '../runner/sender.ts';
import type { SessionUser } from '../../access/actor.ts';
import { emailKey } from '../../contract/email.ts';
import { loginErrorOf } from '../../contract/login-errors.ts';

const BUDGET_MS = 5_000;

const HTML = 'text/html; charset=utf-8';
const CSS = 'text/css; charset=utf-8';

/** The built pages, or two plain ones if the API was built without them. */
export function pageRoutes(built: WebPages | undefined): readonly PageRoute[] {
  return built === undefined ? plainPages() : webPageRoutes(built);
}

function plainPages(): readonly PageRoute[] {
  return [
    pageRoute(PAGE_ROUTES.namespaces, async (context) => {
      const { user } = await identify(context);
      if (user === undefined) return { redirectTo: PAGE_ROUTES.login };
      return fileResponse(HTML, Buffer.from(homePage(user)));
    }),
    pageRoute(PAGE_ROUTES.login, ({ query }) => fileResponse(HTML, Buffer.from(loginPage(query)))),
    pageRoute('/pages.css', () => fileResponse(CSS, Buffer.from(STYLE))),
  ];
}

/** Where `npm --prefix web run build` writes the pages. The path is the same from src/api and from dist/api. */
export const BUILT_PAGES = new URL('../../../web/dist/', import.meta.url);

/** The file types of a build. Other files in its folder are not served. */
const MEDIA_TYPES: ReadonlyMap<string, string> = new Map([
  ['js', 'text/javascript; charset=utf-8'],
  ['css', CSS],
  ['svg', 'image/svg+xml'],
]);

/** The built pages, read once: a few files that never change while the service runs. */
export interface WebPages {
  readonly index: Buffer;
  readonly assets: readonly WebAsset[];
}

interface WebAsset {
  /** File name with the hash of its content. */
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
  readonly gzipped: Buffer;
}

/** Undefined without a build: the API works without pages. */
export function readWebPages(folder: URL): WebPages | undefined {
  const index = readIfThere(new URL('index.html', folder));
  if (index === undefined) return undefined;
  const assets = readdirSync(new URL('assets/', folder)).flatMap((name) => {
    const type = MEDIA_TYPES.get(name.split('.').at(-1) ?? '');
    if (type === undefined) return [];
    const bytes = readFileSync(new URL(`assets/${name}`, folder));
    return [{ name, type, bytes, gzipped: gzipSync(bytes, { level: 9 }) }];
  });
  return { index, assets };
}

/** One route per address and per asset, so that a request's path never becomes a file's path. */
function webPageRoutes({ index, assets }: WebPages): readonly PageRoute[] {
  const html = index.toString('utf8');
  return [
    ...Object.entries(PAGE_ROUTES).map(([name, path]) => {
      const links = preloads(assets, chunksOf(name));
      const page = fileResponse(HTML, Buffer.from(html.replace('</head>', `${links}</head>`)));
      return pageRoute(path, () => page);
    }),
    ...assets.map((asset) =>
      pageRoute(`/assets/${asset.name}`, ({ request }) =>
        assetResponse(asset, request.headers['accept-encoding']),
      ),
    ),
  ];
}

/** The chunks of `web/vite.config.ts` that an address needs beyond the first. */
function chunksOf(route: string): readonly string[] {
  if (['namespaces', 'login'].includes(route)) return [];
  return ['create', 'edit', 'copy'].includes(route) ? ['reading', 'writing'] : ['reading'];
}

/** The browser loads them beside the first chunk, instead of after it. */
function preloads(assets: readonly WebAsset[], chunks: readonly string[]): string {
  return assets
    .filter(({ name }) => chunks.some((chunk) => name.startsWith(`${chunk}-`)))
    .map(({ name }) => {
      const kind = name.endsWith('.css') ? 'rel="preload" as="style"' : 'rel="modulepreload"';
      return `<link ${kind} crossorigin href="/assets/${name}" />`;
    })
    .join('');
}

function pageRoute(path: string, handle: PageRoute['handle']): PageRoute {
  return { method: 'GET', path, access: 'page', budgetMs: BUDGET_MS, handle };
}

/** The name changes with the content, so a cached copy is always current. */
function assetResponse({ type, bytes, gzipped }: WebAsset, acceptEncoding: string | undefined) {
  const coding = contentCoding(acceptEncoding, bytes.byteLength);
  const headers = { 'Cache-Control': 'public, max-age=31536000, immutable', ...codingHeaders(coding) };
  return fileResponse(type, coding === 'gzip' ? gzipped : bytes, headers);
}

function fileResponse(type: string, bytes: Buffer, headers: ResponseHeaders = {}): RouteResponse {
  return { status: 200, bytes, headers: { 'Content-Type': type, ...headers } };
}

function readIfThere(file: URL): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The few pages that the service has without a build: plain HTML, no script, nothing from other origins. */

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0; display: grid; min-height: 100vh; place-items: center; }
main { max-width: 32rem; padding: 1.5rem; }
h1 { font-size: 1.5rem; }
.error { border-left: 0.25rem solid #c9190b; padding-left: 1rem; }
.action { display: inline-block; padding: 0.5rem 1rem; border-radius: 0.25rem; background: #06c; color: #fff; text-decoration: none; }
.action:focus-visible { outline: 0.2rem solid currentcolor; outline-offset: 0.2rem; }
code { overflow-wrap: anywhere; }
`.trimStart();

/** `/login`: one way to sign in, and why the last attempt failed. */
function loginPage(query: URLSearchParams): string {
  return page('Sign in', `${problem(query)}<p><a class="action" href="${BEGIN_LOGIN_PATH}">Sign in</a></p>`);
}

function problem(query: URLSearchParams): string {
  const error = loginErrorOf(query);
  if (error === undefined) return '';
  const { sentence, advice, code } = error;
  const suffix = code === undefined ? '' : ` <code>${escape(code)}</code>`;
  return `<div class="error" role="alert"><p>${escape(sentence)}${suffix}</p><p>${escape(advice)}</p></div>`;
}

/** `/`: who is signed in, and a link to the API. */
function homePage(user: SessionUser): string {
  return page(
    'Secrets Management Service',
    `<p>Signed in as <strong>${escape(emailKey(user.email))}</strong>.</p>
<ul>
<li><a href="/api/namespaces">Your namespaces</a></li>
<li><a href="/api/openapi.json">The API</a></li>
<li><a href="/api/auth/logout">Sign out</a></li>
</ul>`,
  );
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<link rel="stylesheet" href="/pages.css">
</head>
<body>
<main>
<h1>${escape(title)}</h1>
${content}
</main>
</body>
</html>
`;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
