import type { ApiAnswer } from '../harness/api-client.ts';
import type { ListJson, SecretJson, VersionListJson } from '../harness/answers.ts';
import type { OperationOutcome, OperationRequest } from './recording.ts';

/** What an answer over HTTP says about an operation. */
export function answerOf(request: OperationRequest, { status, json, text }: ApiAnswer): OperationOutcome {
  if (status >= 400)
    return isOutcomeUncertain(status, text) ? { kind: 'uncertain' } : { kind: 'refused', status };
  switch (request.do) {
    case 'create':
    case 'update':
    case 'restore':
    case 'undelete':
    case 'read': {
      const { resourceVersion, version } = (json as { secret: SecretJson }).secret;
      return { kind: 'secret', revision: Number(resourceVersion), version };
    }
    case 'delete': {
      if (status === 202) return { kind: 'pending' };
      const { uid, history } = json as { uid: string; history: 'cleaned' | 'retained' };
      return { kind: 'deleted', uid, history };
    }
    case 'list':
      return {
        kind: 'listed',
        items: (json as ListJson).secrets.map(({ name, resourceVersion }) => ({
          name,
          revision: Number(resourceVersion),
        })),
      };
    case 'listDeleted': {
      const { deleted } = json as { deleted: readonly { name: string; uid: string; deletedBy?: string }[] };
      const items = deleted.map(({ name, uid, deletedBy }) => ({ name, uid, by: deletedBy }));
      return { kind: 'deletedListed', items };
    }
    case 'versions': {
      const { uid, versions } = json as VersionListJson;
      return {
        kind: 'versions',
        uid,
        versions: versions.map(({ version, resourceVersion }) => ({
          version,
          source: Number(resourceVersion),
        })),
      };
    }
    default:
      return { kind: 'done' };
  }
}

/** The service says so in words; a 500 or a 502 says nothing about what has happened. */
function isOutcomeUncertain(status: number, text: string): boolean {
  if (status === 503) return /uncertain|could not be confirmed/i.test(text);
  return status >= 500;
}
