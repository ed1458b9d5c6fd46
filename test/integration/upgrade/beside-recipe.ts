import { ADMIN, DEVELOPER_A, DEVELOPER_B, person } from '../../harness/api-client.ts';

// What the recording of a released version beside a later build holds; every value is made up and harmless.

/** A team that manages, and auditors who read. */
export const BESIDE_POLICY = { allowedGroups: '["team-a"]', readerGroups: '["auditors"]' };

export const BESIDE_PEOPLE = {
  admin: ADMIN,
  manager: DEVELOPER_A,
  other: DEVELOPER_B,
  auditor: person('auditor@example.com', ['auditors']),
};

/** By name, what the later build creates each with. */
export const BESIDE_SECRETS = {
  'by-namespace': {},
  'with-readers': { readerGroups: ['team-b'], readerUsers: ['Auditor@example.com'] },
  'with-writers': {
    allowedGroups: ['team-a'],
    writerGroups: ['team-b'],
    writerUsers: ['auditor@example.com'],
  },
  'with-bytes': {
    setBinary: { keystore: Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)).toString('base64') },
  },
};
