import { expect, it } from 'vitest';
import { startStack } from '../../harness/stack.ts';
import { startOtlpReceiver } from './otlp-receiver.ts';

/** Writes a line for each module of OpenTelemetry that is imported. prom-client imports its API. */
const REPORTER = `
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context);
      const [, name] = resolved.url.split('/node_modules/@opentelemetry/');
      if (name !== undefined) process.stdout.write('imported ' + name + '\\n');
      return resolved;
    },
  });`;
const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(REPORTER)}`;
const IMPORTED = /^imported (?!api\/)/m;

it(
  'no module of the SDK of OpenTelemetry is loaded unless an endpoint for traces is set',
  { timeout: 120_000 },
  async () => {
    const receiver = await startOtlpReceiver();
    const stack = await startStack({ env: { NODE_OPTIONS, OTEL_TRACES_SAMPLER: 'always_on' } });
    try {
      expect(stack.service.output()).toContain('"event":"started"');
      expect(stack.service.output()).not.toMatch(IMPORTED);
      const env = { NODE_OPTIONS, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url };
      const traced = await stack.anotherService({ env });
      expect(traced.output()).toMatch(IMPORTED);
      await fetch(`${traced.url}/api/config`);
      await traced.stop();
      // What had not been sent yet is sent before the end.
      expect(receiver.spans().map(({ name }) => name)).toContain('GET /api/config');
    } finally {
      await stack.close();
      await receiver.close();
    }
  },
);
