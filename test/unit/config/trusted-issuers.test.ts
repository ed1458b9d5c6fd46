import { describe, expect, it } from 'vitest';
import { readSettings, type SettingsError } from '../../../src/config/settings.ts';
import { makeCertificate } from '../../fakes/certificate.ts';
import { issuersWith } from './settings-fixture.ts';

describe('trusted issuers', () => {
  const { cert } = makeCertificate('ca.example.com');
  const files: Readonly<Record<string, string>> = {
    '/issuers.json': issuersWith({}),
    '/empty.json': '',
    '/blank.json': '\n',
    '/ca.pem': `# ours\n${cert}`,
    '/empty.pem': '',
    '/text.pem': '-----BEGIN CERTIFICATE-----\nc4n4ry\n-----END CERTIFICATE-----\n',
  };
  const readWith = (environment: Readonly<Record<string, string>>) =>
    readSettings(environment, (path) => {
      const text = files[path];
      if (text === undefined) throw new TypeError('no such file');
      return text;
    }).auth.trustedIssuers;
  const problemsWith = (environment: Readonly<Record<string, string>>): unknown => {
    try {
      return readWith(environment);
    } catch (error) {
      return (error as SettingsError).problems;
    }
  };

  it('may be in a file instead', () => {
    expect(readWith({ SERVICE_TRUSTED_ISSUERS_FILE: '/issuers.json' })).toEqual(
      readWith({ SERVICE_TRUSTED_ISSUERS: issuersWith({}) }),
    );
    const both = {
      SERVICE_TRUSTED_ISSUERS: issuersWith({}),
      SERVICE_TRUSTED_ISSUERS_FILE: '/issuers.json',
    };
    expect(problemsWith(both)).toMatchObject([{ variable: 'SERVICE_TRUSTED_ISSUERS_FILE' }]);
  });

  it.each(['/empty.json', '/blank.json'])('cannot be in the file %s: the start-up stops', (path) => {
    expect(problemsWith({ SERVICE_TRUSTED_ISSUERS_FILE: path })).toEqual([
      { variable: 'SERVICE_TRUSTED_ISSUERS', rule: 'must be a JSON array of 1 to 16 issuers' },
    ]);
  });

  it('have the certificates of their caFile', () => {
    const given = { SERVICE_TRUSTED_ISSUERS: issuersWith({ caFile: '/ca.pem' }) };
    expect(readWith(given)).toMatchObject([{ name: 'ci', ca: files['/ca.pem'] }]);
  });

  it.each(['/absent.pem', '/empty.pem', '/text.pem', '/issuers.json'])(
    'cannot have the caFile %s: the start-up stops',
    (caFile) => {
      const issuer = { name: 'other', issuer: 'https://other.example.com', caFile };
      expect(problemsWith({ SERVICE_TRUSTED_ISSUERS: issuersWith({}, issuer) })).toEqual([
        {
          variable: 'SERVICE_TRUSTED_ISSUERS',
          rule: 'must be valid: caFile of entry 2 must be a file of PEM certificates that can be read',
        },
      ]);
    },
  );
});
