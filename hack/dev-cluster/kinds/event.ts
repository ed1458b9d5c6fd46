import { textAt } from '../json/json.ts';
import { invalidValue } from '../validation/field-errors.ts';
import { dnsSubdomain } from '../validation/names.ts';
import { type Kind } from './kind.ts';
import { anything, plainInteger, structOf, text } from './shape.ts';
import { microTime, time } from './times.ts';

const REFERENCE = structOf({
  kind: text,
  namespace: text,
  name: text,
  uid: text,
  apiVersion: text,
  resourceVersion: text,
  fieldPath: text,
});

export const EVENT: Kind = {
  group: '',
  version: 'v1',
  kind: 'Event',
  resource: 'events',
  shortNames: ['ev'],
  namespaced: true,
  goPackage: 'core',
  nameRule: dnsSubdomain,
  createOnUpdate: true,
  fields: {
    involvedObject: REFERENCE,
    reason: text,
    message: text,
    source: structOf({ component: text, host: text }),
    firstTimestamp: time,
    lastTimestamp: time,
    count: plainInteger,
    type: text,
    eventTime: microTime,
    series: anything,
    action: text,
    related: REFERENCE,
    reportingComponent: text,
    reportingInstance: text,
  },
  prepare: (draft) => ({
    ...draft,
    involvedObject: draft['involvedObject'] ?? {},
    source: draft['source'] ?? {},
  }),
  validate: (draft) => {
    const about = textAt(draft, 'involvedObject', 'namespace');
    const home = draft.metadata.namespace ?? '';
    if (about === home || (about === '' && home === 'default')) return [];
    return [invalidValue('involvedObject.namespace', about, 'does not match event.namespace')];
  },
  selectable: (object) => ({
    'involvedObject.kind': textAt(object, 'involvedObject', 'kind'),
    'involvedObject.namespace': textAt(object, 'involvedObject', 'namespace'),
    'involvedObject.name': textAt(object, 'involvedObject', 'name'),
    'involvedObject.uid': textAt(object, 'involvedObject', 'uid'),
    reason: textAt(object, 'reason'),
    type: textAt(object, 'type'),
  }),
};
