import type { ErrorRequestHandler, NextFunction, Request, Response } from 'express';
import { framesOf, kindOf } from '../errors/error-origin.ts';
import { isServiceError, ServiceError } from '../errors/service-error.ts';
import { systemCodeOf } from '../errors/system-codes.ts';
import type { Logger } from '../observability/logger.ts';
import { traceOf } from './runner/requests.ts';
import { STATUS_OF } from './error-table.ts';

/**
 * The one place that answers errors: `{error: text}` with the status of the code. The text is that of the ServiceError.
 * Of any other error nothing reaches the client, and only known codes reach the log.
 */
export function answerErrors(logger: Logger): ErrorRequestHandler {
  return (thrown: unknown, _request: Request, response: Response, _next: NextFunction) => {
    const error = inFamily(thrown);
    const trace = traceOf(response);
    const systemCode = systemCodeOf(thrown);
    trace.failure = {
      code: error.code,
      ...(error.reason === undefined ? {} : { reason: error.reason }),
      ...(systemCode === undefined ? {} : { systemCode }),
    };
    if (error.code === 'internal') {
      logger.error('unexpected error', {
        requestId: trace.origin.requestId,
        kind: kindOf(thrown),
        reason: originOf(thrown),
      });
    }
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (error.retryAfterSeconds !== undefined) response.set('Retry-After', String(error.retryAfterSeconds));
    response.status(STATUS_OF[error.code]).json({ error: error.message });
  };
}

function inFamily(thrown: unknown): ServiceError {
  if (isServiceError(thrown)) return thrown;
  // Express refuses paths whose percent-encoding is invalid, and quotes the path in its message.
  if (thrown instanceof URIError)
    return new ServiceError('invalidRequest', 'The path is not valid percent-encoding');
  return new ServiceError('internal', 'An unexpected error occurred');
}

/** `file.js:12:34`, with a closing parenthesis if the frame has a name. */
const POSITION = /^([^:]+:\d+):\d+\)?$/;

/** The first stack frame's file and line; messages may hold values, positions do not. */
function originOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error)) return undefined;
  for (const line of framesOf(thrown)) {
    const position = POSITION.exec(lastPart(line.trimEnd()));
    if (position !== null) return position[1];
  }
  return undefined;
}

function lastPart(frame: string): string {
  const begin = Math.max(...['/', '\\', ' ', '('].map((separator) => frame.lastIndexOf(separator)));
  return frame.slice(begin + 1);
}
