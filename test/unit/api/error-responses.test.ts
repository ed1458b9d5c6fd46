import type { Response } from 'express';
import { describe, expect, it, vi } from 'vitest';
import { answerErrors } from '../../../src/api/error-responses.ts';
import { createLogger } from '../../../src/observability/logger.ts';
import { quietMsOf } from '../../harness/machine-slowness.ts';

/** What the log says of where an unexpected error came from. */
function loggedOrigin(error: unknown): unknown {
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => void lines.push(line) });
  const response = {
    locals: { trace: { origin: { requestId: 'r', clientAddress: 'unknown' }, route: 'none' } },
    headersSent: true,
    destroy: vi.fn(),
  } as unknown as Response;
  answerErrors(logger)(error, {} as never, response, () => undefined);
  return (JSON.parse(lines[0] ?? '{}') as { reason?: unknown }).reason;
}

describe('where an unexpected error came from', () => {
  it('is the file and the line of its first frame', () => {
    expect(loggedOrigin(new Error('message'))).toMatch(/^error-responses\.test\.ts:\d+$/);
  });

  it.each([
    ['with a name', '    at run (file:///srv/dist/api/app.js:10:20)', 'app.js:10'],
    ['without a name', '    at file:///srv/dist/api/app.js:10:20', 'app.js:10'],
    ['of Node.js', '    at process.run (node:internal/process/task_queues:103:5)', 'task_queues:103'],
    ['on Windows', String.raw`    at run (C:\srv\app.js:10:20)`, 'app.js:10'],
    ['without a position', '    at new Promise (<anonymous>)', undefined],
  ])('is read from a frame %s', (_what, frame, origin) => {
    expect(loggedOrigin(Object.assign(new Error('m'), { stack: `Error: m\n${frame}` }))).toBe(origin);
  });

  it('is never taken from the message, whatever that looks like', () => {
    expect(loggedOrigin(new Error('m\n    at secret (value.js:1:2)'))).toMatch(/^error-responses/);
    const error = new Error('another');
    error.stack = 'Error: secret\n    at secret:1:2';
    expect(loggedOrigin(error)).toBeUndefined();
  });

  it.each([' ', '\n', '\n at ', 'at a:1', '/', '\n    at a:1:1'])(
    'is found at once behind a long message of %j',
    (part) => {
      const error = new Error(part.repeat(1_000_000 / part.length));
      expect(loggedOrigin(error)).toMatch(/^error-responses/);
      expect(quietMsOf(() => void loggedOrigin(error))).toBeLessThan(100);
    },
  );
});
