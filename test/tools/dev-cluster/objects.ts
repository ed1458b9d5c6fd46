import { type ApiObject } from '../../../hack/dev-cluster/api/object.ts';
import { type JsonObject } from '../../../hack/dev-cluster/json/json.ts';

/** An object of the namespace `default` as a store would hold it. */
export function stored(name: string, fields: JsonObject = {}, metadata: JsonObject = {}): ApiObject {
  return {
    metadata: {
      name,
      namespace: 'default',
      uid: `uid-of-${name}`,
      resourceVersion: '',
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...metadata,
    },
    ...fields,
  };
}
