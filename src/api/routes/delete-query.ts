import * as z from 'zod';
import { brokenTextRule } from '../../contract/text.ts';
import type { DeleteRequest } from '../../secrets/delete-secret.ts';
import { flagParameter, invalidParameter, singleParameter } from './query-parameters.ts';

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
  const resourceVersion = singleParameter(query, 'resourceVersion');
  if (resourceVersion === undefined || resourceVersion.trim() === '') {
    throw invalidParameter('resourceVersion is required and must not be blank');
  }
  // Whatever is not Unicode was replaced when the query was decoded.
  if (brokenTextRule(resourceVersion) !== undefined) {
    throw invalidParameter('resourceVersion must not contain binary control characters');
  }
  const keepHistory = flagParameter(query, 'keepHistory') ?? false;
  const archive = flagParameter(query, 'archive') ?? false;
  if (archive && !keepHistory) throw invalidParameter('archive=true needs keepHistory=true');
  return { resourceVersion, keepHistory, archive };
}
