import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { PAGE_ROUTES } from '../../contract/page-routes.ts';
import { codingHeaders, contentCoding } from '../../server/content-coding.ts';
import { identify, type Identification } from '../runner/authentication.ts';
import type { PageRoute } from '../runner/route.ts';
import type { PageResponse } from '../runner/route-response.ts';
import { homePage, loginPage, STYLE } from './pages.ts';

const BUDGET_MS = 5_000;

/** The built pages, or two plain ones if the API was built without them. */
export function pageRoutes(
  identification: Identification,
  built: WebPages | undefined,
): readonly PageRoute[] {
  return built === undefined ? plainPageRoutes(identification) : webPageRoutes(built);
}

function plainPageRoutes(identification: Identification): readonly PageRoute[] {
  return [
    {
      method: 'GET',
      path: PAGE_ROUTES.namespaces,
      access: 'page',
      budgetMs: BUDGET_MS,
      async handle({ request, origin }) {
        const { user } = await identify(identification, request.headers.cookie, origin);
        if (user === undefined) return { redirectTo: PAGE_ROUTES.login, setCookies: [] };
        return { status: 200, type: 'html', text: homePage(user) };
      },
    },
    {
      method: 'GET',
      path: PAGE_ROUTES.login,
      access: 'page',
      budgetMs: BUDGET_MS,
      handle: ({ query }) => ({ status: 200, type: 'html', text: loginPage(query) }),
    },
    {
      method: 'GET',
      path: '/pages.css',
      access: 'page',
      budgetMs: BUDGET_MS,
      handle: () => ({ status: 200, type: 'css', text: STYLE }),
    },
  ];
}

/** Where `npm --prefix web run build` writes the pages. The path is the same from src/api and from dist/api. */
export const BUILT_PAGES = new URL('../../../web/dist/', import.meta.url);

/** The file types of a build. Other files in its folder are not served. */
const MEDIA_TYPES: ReadonlyMap<string, string> = new Map([
  ['js', 'text/javascript; charset=utf-8'],
  ['css', 'text/css; charset=utf-8'],
  ['svg', 'image/svg+xml'],
]);

/** The built pages, read once: a few files that never change while the service runs. */
export interface WebPages {
  readonly index: Buffer;
  readonly assets: readonly WebAsset[];
}

export interface WebAsset {
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
  const page: PageResponse = { status: 200, type: 'html', text: index.toString('utf8') };
  return [
    ...Object.values(PAGE_ROUTES).map((path) => pageRoute(path, () => page)),
    ...assets.map((asset) =>
      pageRoute(`/assets/${asset.name}`, (acceptEncoding) => assetResponse(asset, acceptEncoding)),
    ),
  ];
}

function pageRoute(path: string, respond: (acceptEncoding: string | undefined) => PageResponse): PageRoute {
  return {
    method: 'GET',
    path,
    access: 'page',
    budgetMs: BUDGET_MS,
    handle: ({ request }) => respond(request.headers['accept-encoding']),
  };
}

/** The name changes with the content, so a cached copy is always current. */
function assetResponse({ type, bytes, gzipped }: WebAsset, acceptEncoding: string | undefined): PageResponse {
  const coding = contentCoding(acceptEncoding, bytes.byteLength);
  return {
    status: 200,
    bytes: coding === 'gzip' ? gzipped : bytes,
    headers: {
      'Content-Type': type,
      'Cache-Control': 'public, max-age=31536000, immutable',
      ...codingHeaders(coding),
    },
  };
}

function readIfThere(file: URL): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
