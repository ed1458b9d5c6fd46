import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { PAGE_ROUTES } from '../../contract/page-routes.ts';
import { codingHeaders, contentCoding } from '../../server/server.ts';
import type { ResponseHeaders, RouteOf, RouteResponse } from '../runner/route.ts';

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

/** The built pages; without a build, all their addresses say what is missing. */
export function pageRoutes(built: WebPages | undefined): readonly RouteOf<'page'>[] {
  if (built !== undefined) return webPageRoutes(built);
  return Object.values(PAGE_ROUTES).map((path) => pageRoute(path, () => NOT_BUILT));
}

const NOT_BUILT: RouteResponse = {
  status: 503,
  bytes: Buffer.from('The pages are not built: run `make build`. The API works without them.\n'),
  headers: { 'Content-Type': 'text/plain; charset=utf-8' },
};

/** Where `npm --prefix web run build` writes the pages. The path is the same from src/api and from dist/api. */
export const BUILT_PAGES = new URL('../../../web/dist/', import.meta.url);

/** The file types of a build. Other files in its folder are not served. */
const MEDIA_TYPES: ReadonlyMap<string, string> = new Map([
  ['js', SCRIPT],
  ['css', 'text/css; charset=utf-8'],
  ['svg', 'image/svg+xml'],
]);

/** The built pages, read once: a few files that never change while the service runs. */
export type WebPages = NonNullable<ReturnType<typeof readWebPages>>;

type WebAsset = WebPages['assets'][number];

/** Undefined without a build: the API works without pages. */
export function readWebPages(folder: URL) {
  const index = new URL('index.html', folder);
  if (!existsSync(index)) return undefined;
  const assets = readdirSync(new URL('assets/', folder)).flatMap((name) => {
    const type = MEDIA_TYPES.get(name.split('.').at(-1) ?? '');
    if (type === undefined) return [];
    const read = (suffix: string) => readFileSync(new URL(`assets/${name}${suffix}`, folder));
    // The name has the hash of the content. The build compresses each.
    return [{ name, type, bytes: read(''), gzipped: read('.gz') }];
  });
  const loading = readFileSync(new URL('loading.js', folder));
  return { index: readFileSync(index), loading, assets };
}

/** One route per address and per asset, so that a request's path never becomes a file's path. */
function webPageRoutes({ index, loading, assets }: WebPages): readonly RouteOf<'page'>[] {
  const html = index.toString('utf8');
  return [
    ...Object.entries(PAGE_ROUTES).map(([name, path]) => {
      const links = preloads(assets, chunksOf(name));
      const page = fileResponse(HTML, Buffer.from(html.replace('</head>', `${links}</head>`)));
      return pageRoute(path, () => page);
    }),
    pageRoute('/loading.js', () => fileResponse(SCRIPT, loading)),
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

function pageRoute(path: string, handle: RouteOf<'page'>['handle']): RouteOf<'page'> {
  return { method: 'GET', path, access: 'page', handle };
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
