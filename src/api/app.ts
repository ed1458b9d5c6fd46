import express, { type Express, type Request, type RequestHandler } from 'express';
import type { Logger } from '../observability/logger.ts';
import type { Tracing } from '../observability/tracing.ts';
import { ServiceError } from '../errors/service-error.ts';
import { accessRoutes } from './routes/access-routes.ts';
import { authRoutes, configRoute, type PublicConfig } from './routes/auth-routes.ts';
import { consumerRoutes } from './routes/workload-routes.ts';
import { answerErrors } from './error-responses.ts';
import { withOpenApi } from './openapi.ts';
import { pageRoutes, type WebPages } from './routes/page-routes.ts';
import { observeRequests, traceOf, type LoggedRequests } from './runner/requests.ts';
import type { Route, Services } from './runner/route.ts';
import { bearerOf } from './runner/sender.ts';
import { runRoute } from './runner/run-route.ts';
import { deletedRoutes } from './routes/deleted-routes.ts';
import { listRoutes } from './routes/list-routes.ts';
import { terminalRoutes } from './routes/terminal-routes.ts';
import { secretRoutes } from './routes/secret-routes.ts';
import { versionRoutes } from './routes/version-routes.ts';
import {
  protectAnswers,
  refuseCrossSite,
  refuseDuplicateFields,
  refuseForeignHosts,
  requireHost,
} from '../server/server.ts';

export interface AppDependencies extends Services {
  readonly logger: Logger;
  readonly loggedRequests: LoggedRequests;
  readonly config: PublicConfig;
  /** The built pages; undefined when the API was built without them. */
  readonly webPages: WebPages | undefined;
  /** The public base URL. */
  readonly publicUrl: string;
  readonly production: boolean;
  readonly trustProxy: boolean | number | readonly string[] | undefined;
  readonly tracing: Tracing | undefined;
}

/** The route table: everything that the public port answers. */
export function routeTable({ config, webPages }: Pick<AppDependencies, 'config' | 'webPages'>) {
  const routes = [
    ...authRoutes,
    ...terminalRoutes,
    configRoute(config),
    ...accessRoutes,
    ...listRoutes,
    ...secretRoutes,
    ...versionRoutes,
    ...deletedRoutes,
    ...consumerRoutes,
  ];
  return [...withOpenApi(routes, config.version), ...pageRoutes(webPages)];
}

/** The app of the public port. */
export function createApp(dependencies: AppDependencies): Express {
  const { logger, publicUrl, production, trustProxy } = dependencies;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('strict routing');
  app.enable('case sensitive routing');
  if (trustProxy !== undefined) app.set('trust proxy', trustProxy);

  app.use(observeRequests(dependencies));
  app.use(protectAnswers(production));
  if (dependencies.everyoneIsAdmin) app.use(refuseForeignHosts(publicUrl));
  app.use(requireHost);
  app.use(refuseDuplicateFields);
  app.use(refuseCrossSite(publicUrl, (request) => !usesBearer(dependencies, request)));
  for (const [path, routes] of Map.groupBy(routeTable(dependencies), ({ path }) => path))
    app.route(path).all(onePath(path, routes, dependencies));
  app.use(unknownRoute(dependencies.webPages));
  app.use(answerErrors(logger));
  return app;
}

/** With the header no cookie is looked at, except by sign-in. */
function usesBearer(services: Services, { path, headers }: Request): boolean {
  const isApi = path.startsWith('/api/') && !path.startsWith('/api/auth/');
  return isApi && bearerOf(services, headers) !== undefined;
}

/** Serves the methods of a path. GET also serves HEAD, unless the GET has an effect. */
function onePath(path: string, routes: readonly Route[], services: Services): RequestHandler {
  const handlers = new Map<string, RequestHandler>();
  for (const route of routes) {
    handlers.set(route.method, runRoute(route, services));
    if (route.method === 'GET' && route.head !== false) handlers.set('HEAD', runRoute(route, services));
  }
  const notAllowed: RequestHandler = (_request, response) => {
    traceOf(response).route = path;
    response.set('Allow', [...handlers.keys()].join(', '));
    throw new ServiceError('methodNotAllowed', 'This method is not allowed here');
  };
  // Returned, so that Express sees a rejected promise and hands it to the error middleware.
  return (request, response, next) => (handlers.get(request.method) ?? notAllowed)(request, response, next);
}

/** Someone who mistypes an address gets the pages, which say so in their own words; everything else gets JSON. */
function unknownRoute(pages: WebPages | undefined): RequestHandler {
  const page = pages?.index.toString('utf8');
  return (request, response, next) => {
    response.vary('Accept');
    if (page === undefined || !isForPage(request)) {
      next(new ServiceError('routeNotFound', 'There is nothing at this address'));
      return;
    }
    traceOf(response).failure = { code: 'routeNotFound' };
    response.status(404).type('html').send(page);
  };
}

/** A browser that navigates names HTML among what it accepts; scripts, images and clients of the API do not. */
function isForPage({ method, path, headers }: Request): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  const isPage = !/^\/(?:api|assets)(?:\/|$)/.test(path);
  return isRead && isPage && (headers.accept ?? '').includes('text/html');
}
