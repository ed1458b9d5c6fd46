import type * as z from 'zod';
import type { Wire } from '../runner/route-response.ts';
import type * as responses from './response-schemas.ts';

/** Examples of the OpenAPI document: one Secret through its life. Tests check each example against its schema. */

type Detail = Wire<z.output<typeof responses.detailResponse>>['secret'];
type Summary = Wire<z.output<typeof responses.summaryResponse>>['secret'];

export const SUMMARY: Summary = {
  namespace: 'shared',
  name: 'database',
  type: 'Opaque',
  keys: ['password', 'username'],
  keyCount: 2,
  description: 'The orders database',
  version: 1,
  resourceVersion: '4711',
  creationTimestamp: '2026-03-04T05:06:07Z',
  allowedGroups: ['team-a'],
  allowedUsers: [],
  managedByService: true,
  immutable: false,
  binaryKeys: [],
  lastModifiedBy: 'developer-a@example.com',
  lastModifiedAt: '2026-03-04T05:06:07.089Z',
};

export const DETAIL: Detail = {
  ...SUMMARY,
  data: { password: 'correct horse', username: 'app' },
  binaryData: {},
};

export const PATCHED: Summary = {
  ...SUMMARY,
  version: 2,
  resourceVersion: '4713',
  lastModifiedAt: '2026-03-04T05:06:08.089Z',
};

export const UPDATED: Detail = {
  ...DETAIL,
  ...PATCHED,
  data: { password: 'battery staple', username: 'app' },
};

export const RESTORED: Detail = {
  ...DETAIL,
  version: 3,
  resourceVersion: '4715',
  lastModifiedAt: '2026-03-04T05:06:09.089Z',
};

export const UID = '7d0f4ad0-0f3c-4a4e-9f0c-7a1f5d0f3c55';

export const VERSION = {
  version: 1,
  resourceVersion: '4711',
  createdAt: '2026-03-04T05:06:08Z',
  lastModifiedBy: 'developer-a@example.com',
  lastModifiedAt: '2026-03-04T05:06:07.089Z',
  type: 'Opaque',
  keys: ['password', 'username'],
  keyCount: 2,
  binaryKeys: [],
};
