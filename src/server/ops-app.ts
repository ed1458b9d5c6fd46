import express, { type Express } from 'express';
import type { Metrics } from '../observability/metrics.ts';
import type { Readiness } from '../observability/readiness.ts';

/** The app of the operations port: metrics and probes, never reachable by the ingress. */
export function createOpsApp(metrics: Metrics, readiness: Readiness): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use((_request, response, next) => {
    response.set('Cache-Control', 'no-store');
    next();
  });
  // Live as long as the event loop runs: a restart does not repair a failed dependency.
  app.get('/livez', (_request, response) => {
    response.type('text').send('ok\n');
  });
  app.get('/readyz', async (_request, response) => {
    const waitingFor = await readiness.waitingFor();
    const isReady = waitingFor.length === 0;
    const lines = [isReady ? 'ok' : `not ready: ${waitingFor.join(', ')}`, ...readiness.notes()];
    response
      .status(isReady ? 200 : 503)
      .type('text')
      .send(`${lines.join('\n')}\n`);
  });
  app.get('/metrics', async (_request, response) => {
    const { contentType, body } = await metrics.expose();
    response.set('Content-Type', contentType).send(body);
  });
  app.use((_request, response) => {
    response.status(404).type('text').send('not found\n');
  });
  return app;
}
