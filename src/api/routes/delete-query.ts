import * as z from 'zod';
import { ServiceError } from '../../errors/service-error.ts';
import type { DeleteRequest } from '../../secrets/delete-secret.ts';

export const deleteQuery = z.object({
  resourceVersion: z
    .string()
    .meta({ description: 'The revision that the client has loaded.', examples: ['4711'] }),
  keepHistory: z
    .enum(['true', 'false'])
    .optional()
    .meta({
      description: '`true` leaves the snapshots alone; `false`, the default, removes them first.',
      examples: ['false'],
    }),
  archive: z
    .enum(['true', 'false'])
    .optional()
    .meta({
      description:
        '`true`, with keepHistory=true, archives the live state, so that the Secret can be restored.',
      examples: ['false'],
    }),
});

/**
 * The query of a DELETE. Each parameter may appear once. Unknown parameters are ignored.
 * @throws {ServiceError} `invalidRequest`, naming the parameter and the rule
 */
export function parseDeleteQuery(query: URLSearchParams): DeleteRequest {
  const resourceVersion = single(query, 'resourceVersion');
  if (resourceVersion === undefined || resourceVersion.trim() === '') {
    throw invalid('resourceVersion is required and must not be blank');
  }
  const keepHistory = flag(query, 'keepHistory');
  const archive = flag(query, 'archive');
  if (archive && !keepHistory) throw invalid('archive=true needs keepHistory=true');
  return { resourceVersion, keepHistory, archive };
}

function flag(query: URLSearchParams, name: string): boolean {
  const value = single(query, name) ?? 'false';
  if (value !== 'true' && value !== 'false') throw invalid(`${name} must be true or false`);
  return value === 'true';
}

function single(query: URLSearchParams, name: string): string | undefined {
  const values = query.getAll(name);
  if (values.length > 1) throw invalid(`${name} must be given once`);
  return values[0];
}

function invalid(message: string): ServiceError {
  return new ServiceError('invalidRequest', message);
}
