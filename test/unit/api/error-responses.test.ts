import { fileURLToPath } from 'node:url';
import type { Response } from 'express';
import { describe, expect, it, vi } from 'vitest';
import { answerErrors } from '../../../src/api/error-responses.ts';
import { createLogger } from '../../../src/observability/logger.ts';
import { quietMsOf } from '../../harness/machine-slowness.ts';

const OWN_CODE = new URL('../../../src/', import.meta.url);
const OWN_FRAME = `\n    at run (${OWN_CODE.href}api/app.ts:10:20)`;

/** What the log says of where an unexpected error came from. */
function loggedPlace(error: unknown): unknown {
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => void lines.push(line) });
  const response = {
    locals: { trace: { origin: { requestId: 'r', clientAddress: 'unknown' }, route: 'none' } },
    headersSent: true,
    destroy: vi.fn(),
  } as unknown as Response;
  answerErrors(logger)(error, {} as never, response, () => undefined);
  const line = JSON.parse(lines[0] ?? '{}') as { event?: unknown; place?: unknown };
  expect(line.event).toBe('unexpected error');
  return line.place;
}

/** An error whose first frames are not of the service. */
function thrownBelow(message: string): Error {
  const error = new Error(message);
  error.stack = `${error.stack ?? ''}${OWN_FRAME}`;
  return error;
}

describe('where an unexpected error came from', () => {
  it('is the module and the function of the first frame of the service', () => {
    expect(loggedPlace(thrownBelow('message'))).toBe('api/app#run');
  });

  it.each([
    ['with a name', `    at run (${OWN_CODE.href}api/app.js:10:20)`, 'api/app#run'],
    ['without a name', `    at ${OWN_CODE.href}api/app.js:10:20`, 'api/app'],
    ['by its path', `    at run (${fileURLToPath(OWN_CODE)}api/app.js:10:20)`, 'api/app#run'],
    ['of Node.js', '    at process.run (node:internal/process/task_queues:103:5)', undefined],
    ['of other code', String.raw`    at run (C:\srv\app.js:10:20)`, undefined],
    ['without a position', '    at new Promise (<anonymous>)', undefined],
  ])('is read from a frame %s', (_what, frame, place) => {
    expect(loggedPlace(Object.assign(new Error('m'), { stack: `Error: m\n${frame}` }))).toBe(place);
  });

  it('is never taken from the message, whatever that looks like', () => {
    const frame = `    at secret (${OWN_CODE.href}value.js:1:2)`;
    expect(loggedPlace(new Error(`m\n${frame}`))).toBeUndefined();
    expect(loggedPlace(thrownBelow(`m\n${frame}`))).toBe('api/app#run');
    const error = new Error('another');
    error.stack = `Error: secret\n${frame}`;
    expect(loggedPlace(error)).toBeUndefined();
  });

  it.each([' ', '\n', '\n at ', 'at a:1', '/', '\n    at a:1:1'])(
    'is found at once behind a long message of %j',
    (part) => {
      const error = thrownBelow(part.repeat(1_000_000 / part.length));
      expect(loggedPlace(error)).toBe('api/app#run');
      expect(quietMsOf(() => void loggedPlace(error))).toBeLessThan(100);
    },
  );
});
