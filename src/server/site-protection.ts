import helmet from 'helmet';
import type { Request, RequestHandler } from 'express';
import { invalidRequest, ServiceError } from '../errors/service-error.ts';

const SAFE_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/**
 * A page of this origin, and what the person did themselves (W3C Fetch Metadata, section 2.3). A sibling (`same-site`) is
 * another site here: it is not under the control of this service.
 */
const OWN_SITES: readonly string[] = ['same-origin', 'none'];

const DOWNLOAD = /^\/api\/namespaces\/[^/]+\/secrets\/[^/]+(?:\/versions\/[^/]+)?\/keys\//;

/** A middleware that ends a request with the error, if there is one. */
function refusing(violation: (request: Request) => ServiceError | undefined): RequestHandler {
  return (request, _response, next) => {
    next(violation(request));
  };
}

/**
 * Refuses what a browser sends on behalf of another site, before all other checks: writes, and reads of one value, which
 * the browser would save as a file. Whether it does would show the other site that there is such a value. Clients that are
 * not browsers send neither header and are not affected.
 *
 * @param publicUrl the service's own base URL
 * @param usesCookies whether a request may be authenticated by a cookie, which a browser adds by itself
 */
export function refuseCrossSite(
  publicUrl: string,
  usesCookies: (request: Request) => boolean = () => true,
): RequestHandler {
  const ownOrigin = new URL(publicUrl).origin;
  return refusing((request) => {
    const origin = request.get('origin');
    const foreign = origin !== undefined && !isOwn(origin, ownOrigin);
    const site = request.get('sec-fetch-site');
    const isOwnSite = !foreign && (site === undefined || OWN_SITES.includes(site));
    const isRead = SAFE_METHODS.includes(request.method);
    const isHarmless = isRead && !DOWNLOAD.test(request.path);
    if (isOwnSite || isHarmless || !usesCookies(request)) return undefined;
    const what = isRead ? 'Downloads for' : 'Writes from';
    return new ServiceError('crossSite', `${what} another site are refused`);
  });
}

/** A host and a port, or nothing (RFC 9112, section 3.2). A comma would join two of them. */
const HOST = /^[A-Za-z0-9._~!$&'()*+;=%:[\]-]*$/;

/** HTTP/1.1 requires a Host header (RFC 9112, section 3.2). */
export const requireHost = refusing(({ headers: { host }, httpVersion }) => {
  if (host === undefined)
    return httpVersion === '1.0' ? undefined : invalidRequest('The request needs a Host header');
  return HOST.test(host) ? undefined : invalidRequest('The Host header is malformed');
});

/**
 * Fields that decide how a request is handled and that have one value (RFC 9110, section 5.3). Node takes the first of
 * most of them and drops the rest, but a proxy in front may have taken the last. Two of Content-Length or
 * Transfer-Encoding are refused by Node's parser; several of Cookie are joined, as HTTP/2 has them (RFC 9113, section
 * 8.2.3).
 */
const SINGLE_FIELDS: readonly string[] = [
  'Host',
  'Content-Type',
  'Content-Encoding',
  'Authorization',
  'Origin',
  'Sec-Fetch-Site',
];

/** Refuses a request that has one of these fields more than once. */
export const refuseDuplicateFields = refusing(({ rawHeaders }) => {
  // Names and values in turn, as they were received.
  const names = rawHeaders.filter((_name, index) => index % 2 === 0).map((name) => name.toLowerCase());
  const duplicate = SINGLE_FIELDS.find((field) => {
    const name = field.toLowerCase();
    return names.indexOf(name) !== names.lastIndexOf(name);
  });
  if (duplicate === undefined) return undefined;
  return invalidRequest(`The request must have at most one ${duplicate} header`);
});

/** This machine has several names. A service that is configured with one of them is also reached by the others. */
const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

function isOwn(origin: string, ownOrigin: string): boolean {
  if (origin === ownOrigin) return true;
  if (!URL.canParse(origin)) return false;
  const [one, own] = [new URL(origin), new URL(ownOrigin)];
  const areLoopback = LOOPBACK.includes(one.hostname) && LOOPBACK.includes(own.hostname);
  return areLoopback && one.protocol === own.protocol && one.port === own.port;
}

/**
 * For a service without sign-in. Any web page can resolve a host name of its own to this machine and then reach the
 * service as its own site (DNS rebinding); only the Host field reveals that.
 *
 * @param publicUrl the service's own base URL, whose host is served, too
 */
export function refuseForeignHosts(publicUrl: string): RequestHandler {
  const own = new URL(publicUrl);
  return refusing(({ headers: { host = '' } }) =>
    isLoopbackOr(own, host)
      ? undefined
      : new ServiceError(
          'foreignHost',
          'Without sign-in, the service is served under the name localhost only',
        ),
  );
}

/**
 * A name or an address, and perhaps a port. Everything else that URLs accept here is not a Host field (RFC 9110,
 * section 7.2).
 */
const HOST_FIELD = /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?$/i;

function isLoopbackOr(own: URL, host: string): boolean {
  const address = `${own.protocol}//${host}`;
  if (!HOST_FIELD.test(host) || !URL.canParse(address)) return false;
  const { host: hostAndPort, hostname } = new URL(address);
  return LOOPBACK.includes(hostname) || hostAndPort === own.host;
}

/**
 * Headers for every response. No cache stores it (hashed assets set their own header), and nothing is loaded from other
 * origins.
 */
export function protectAnswers(production: boolean): RequestHandler {
  const setHeaders = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
        requireTrustedTypesFor: ["'script'"],
        // No policy at all: the pages never turn text into markup or script.
        trustedTypes: ["'none'"],
      },
    },
    strictTransportSecurity: production ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
  });
  return (request, response, next) => {
    response.setHeader('Cache-Control', 'no-store');
    // Nothing has a validator, so a client never has the current response. Express would treat `*` as a match.
    delete request.headers['if-none-match'];
    setHeaders(request, response, next);
  };
}
