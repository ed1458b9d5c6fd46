import { expect, test } from 'vitest';
import { certificateFacts } from '../src/ui/certificate-facts.ts';
import { certificatesOf, type Certificate } from '../src/values/certificate.ts';

/** Made by OpenSSL, with a subjectAltName of every kind that it can write. */
const EVERY_KIND = `
-----BEGIN CERTIFICATE-----
MIICTzCCAfSgAwIBAgIUJzB5jpKrYjTTXoJsvJ5sKHjptWkwCgYIKoZIzj0EAwIw
HDEaMBgGA1UEAwwRbmFtZXMuZXhhbXBsZS5jb20wHhcNMjYxMTIyMDUxOTIyWhcN
MzYxMTE5MDUxOTIyWjAcMRowGAYDVQQDDBFuYW1lcy5leGFtcGxlLmNvbTBZMBMG
ByqGSM49AgEGCCqGSM49AwEHA0IABPfxzjjGglivQs8o93Z62DEjv0VR0SJenVRr
qCbLv5DiR/xCqU+kBY14pnSTFKHfXohNAidGwhgfII0u+7AeQN2jggESMIIBDjCB
7AYDVR0RBIHkMIHhgg1hLmV4YW1wbGUuY29thwQKAAABhxAgAQ24AAAAAAAAAAAA
AAABhxAAAAAAAAAAAAAAAAAAAAABhxAAAAAAAAAAAAAAAAAAAAAAhxAgAQ24AAAA
AQAAAAAAAAABhxAAAQAAAAIAAwAEAAUABgAHhh5zcGlmZmU6Ly9leGFtcGxlLmNv
bS9ucy9hL3NhL2KBDWFAZXhhbXBsZS5jb22gFAYKKwYBBAGCNxQCA6AGDAR1c2Vy
iAMqAwSkJjAkMRAwDgYDVQQKDAdFeGFtcGxlMRAwDgYDVQQDDAdzb21lb25lMB0G
A1UdDgQWBBQ51uh9cJVCLVvxUYBdhC0ZV64XJTAKBggqhkjOPQQDAgNJADBGAiEA
wDbEyHzVvMozslUtUShjYLgXuNuEXND9BjqR+fYQQFQCIQDGlqFxq8QRxXI+lGnP
PxcCJBGVTgkOBeeBz38haSX3kQ==
-----END CERTIFICATE-----
`;

test('no kind of alternative name is left out', () => {
  expect(certificatesOf(EVERY_KIND)[0]?.names).toEqual([
    'a.example.com',
    '10.0.0.1',
    '2001:db8::1',
    '::1',
    '::',
    '2001:db8:0:1::1',
    '1:0:2:3:4:5:6:7',
    'spiffe://example.com/ns/a/sa/b',
    'a@example.com',
    'other name of kind 1.3.6.1.4.1.311.20.2.3',
    'registered id 1.2.3.4',
    'O=Example, CN=someone',
  ]);
});

test('a certificate is described in words, with as many names as a person reads', () => {
  const names = Array.from({ length: 1_052 }, (_item, index) => `n${index}`);
  const dates = { notBefore: new Date(0), notAfter: new Date(0) };
  const described = (certificate: Pick<Certificate, 'subject' | 'names'>) =>
    certificateFacts({ issuer: 'CN=issuer', ...dates, ...certificate });
  expect(described({ subject: 'CN=a', names: [] })).toEqual([
    { term: 'Issued to', description: 'CN=a' },
    { term: 'Issued by', description: 'CN=issuer' },
  ]);
  const [subject, many] = described({ subject: '', names });
  expect(subject?.description).toBe('(no subject)');
  expect(many).toEqual({ term: 'Names', description: `${names.slice(0, 50).join(', ')}, and 1,002 more` });
});
