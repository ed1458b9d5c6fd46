import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { bits, der, integer, octets, oid, pem, sequence } from './der.ts';

const RSA = '2a864886f70d010101';
const RSA_PSS = '2a864886f70d01010a';
const DSA = '2a8648ce380401';
const DIFFIE_HELLMAN = '2a864886f70d010301';
const X9_DIFFIE_HELLMAN = '2a8648ce3e0201';
const ELLIPTIC_CURVE = '2a8648ce3d0201';
const P_256 = '2a8648ce3d030107';
const P_521 = '2b81040023';
const SECT571R1 = '2b81040027';
const PRIME_FIELD = '2a8648ce3d0101';

/** A PEM text of a private key of random numbers, in an encoding that a library accepts. */
export interface ExpensiveKey {
  readonly what: string;
  readonly pem: string;
}

/** A random odd number of exactly so many bits. */
function numberOf(bitCount: number): Buffer {
  const bytes = randomBytes(Math.ceil(bitCount / 8));
  const top = 1 << ((bitCount - 1) % 8);
  bytes[0] = ((bytes[0] ?? 0) & (top - 1)) | top;
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 1;
  return bytes;
}

const random = (bitCount: number) => integer(numberOf(bitCount));
const small = (value: number) => integer(Buffer.of(value));

function pkcs8(algorithm: Buffer, key: Buffer, ...attributes: readonly Buffer[]): Buffer {
  return sequence(small(0), algorithm, octets(key), ...attributes);
}

/** `g` to the power of a private key as long as `p`: the time grows with the third power of the length. */
export function dsaKey(bitCount: number): string {
  const domain = sequence(random(bitCount), random(256), random(bitCount));
  return pem('PRIVATE KEY', pkcs8(sequence(oid(DSA), domain), random(bitCount)));
}

export function diffieHellmanKey(bitCount: number): string {
  const domain = sequence(random(bitCount), random(bitCount));
  return pem('PRIVATE KEY', pkcs8(sequence(oid(DIFFIE_HELLMAN), domain), random(bitCount)));
}

function x9DiffieHellmanKey(bitCount: number): string {
  const domain = sequence(random(bitCount), random(bitCount), random(256));
  return pem('PRIVATE KEY', pkcs8(sequence(oid(X9_DIFFIE_HELLMAN), domain), random(bitCount)));
}

/** PKCS #1, with random numbers and primes beyond two if the version is 1. */
function rsaPrivateKey(bitCount: number, version = 0): Buffer {
  const more = version === 0 ? [] : [sequence(...Array.from({ length: 3 }, () => random(bitCount / 2)))];
  const parts = Array.from({ length: 5 }, () => random(bitCount / 2));
  return sequence(small(version), random(bitCount), random(bitCount), random(bitCount), ...parts, ...more);
}

export function rsaKey(bitCount: number): string {
  return pem('RSA PRIVATE KEY', rsaPrivateKey(bitCount));
}

/** A prime field whose modulus is no prime, with points that are on no curve. */
function explicitCurve(bitCount: number): Buffer {
  const field = sequence(oid(PRIME_FIELD), random(bitCount));
  const coefficient = () => octets(numberOf(bitCount - 1));
  const base = octets(Buffer.concat([Buffer.of(2), numberOf(bitCount - 1)]));
  return sequence(small(1), field, sequence(coefficient(), coefficient()), base, random(bitCount), small(1));
}

function curveKey(secretBytes: number, ...parameters: readonly Buffer[]): Buffer {
  return sequence(small(1), octets(randomBytes(secretBytes)), ...parameters.map((curve) => der(0xa0, curve)));
}

/** Private keys that cost a library a lot, or that are made to look like others. A service must read none of them. */
export function expensiveKeys(): readonly ExpensiveKey[] {
  const curve = (name: string | Buffer) =>
    sequence(oid(ELLIPTIC_CURVE), typeof name === 'string' ? oid(name) : name);
  const rsa = sequence(oid(RSA), Buffer.of(5, 0));
  const key = (label: string, bytes: Buffer) => pem(label, bytes);
  const list: readonly (readonly [string, string])[] = [
    ['DSA of 24,576 bits in PKCS #8', dsaKey(24_576)],
    ['DSA of 120,000 bits in PKCS #8', dsaKey(120_000)],
    ['DSA of 1,024 bits in PKCS #8', dsaKey(1_024)],
    [
      'DSA of 16,384 bits by its own label',
      key('DSA PRIVATE KEY', sequence(small(0), ...[16_384, 256, 16_384, 16_384, 16_384].map(random))),
    ],
    ['DSA under the label of RSA', dsaKey(24_576).replaceAll('PRIVATE', 'RSA PRIVATE')],
    ['DSA under the label of elliptic curves', dsaKey(24_576).replaceAll('PRIVATE', 'EC PRIVATE')],
    ['DSA under any label', dsaKey(24_576).replaceAll('PRIVATE', 'ANY PRIVATE')],
    ['Diffie-Hellman of 24,576 bits', diffieHellmanKey(24_576)],
    ['Diffie-Hellman of 120,000 bits', diffieHellmanKey(120_000)],
    ['X9.42 Diffie-Hellman of 24,576 bits', x9DiffieHellmanKey(24_576)],
    ['RSA of 16,385 bits in PKCS #1', rsaKey(16_385)],
    ['RSA of 65,536 bits in PKCS #1', rsaKey(65_536)],
    ['RSA of 16,385 bits in PKCS #8', key('PRIVATE KEY', pkcs8(rsa, rsaPrivateKey(16_385)))],
    ['RSA of 65,536 bits in PKCS #8', key('PRIVATE KEY', pkcs8(rsa, rsaPrivateKey(65_536)))],
    ['RSA-PSS of 65,536 bits', key('PRIVATE KEY', pkcs8(sequence(oid(RSA_PSS)), rsaPrivateKey(65_536)))],
    ['RSA of three primes', key('RSA PRIVATE KEY', rsaPrivateKey(2_048, 1))],
    [
      'RSA with attributes of 40 KiB',
      key('PRIVATE KEY', pkcs8(rsa, rsaPrivateKey(2_048), der(0xa0, Buffer.alloc(40_960)))),
    ],
    [
      'RSA with bytes after it',
      key('RSA PRIVATE KEY', Buffer.concat([rsaPrivateKey(2_048), Buffer.alloc(9)])),
    ],
    ['RSA with nothing in it', key('RSA PRIVATE KEY', sequence())],
    ['an elliptic curve by parameters', key('PRIVATE KEY', pkcs8(curve(explicitCurve(656)), curveKey(82)))],
    ['an elliptic curve by parameters in SEC 1', key('EC PRIVATE KEY', curveKey(82, explicitCurve(656)))],
    [
      'an elliptic curve by a name, and by parameters inside',
      key('PRIVATE KEY', pkcs8(curve(P_256), curveKey(32, explicitCurve(656)))),
    ],
    ['an elliptic curve by two names', key('PRIVATE KEY', pkcs8(curve(P_256), curveKey(32, oid(P_521))))],
    ['an elliptic curve without a name', key('EC PRIVATE KEY', curveKey(32))],
    ['an elliptic curve over a binary field', key('PRIVATE KEY', pkcs8(curve(SECT571R1), curveKey(72)))],
    ['an elliptic curve with a key of 40 KB', key('PRIVATE KEY', pkcs8(curve(P_521), curveKey(40_000)))],
    ['an elliptic curve with a key of 4 KB', key('EC PRIVATE KEY', curveKey(4_000, oid(P_521)))],
    ['a length that is indefinite', key('PRIVATE KEY', Buffer.from('30800201000000', 'hex'))],
    ['a length beyond the end', key('PRIVATE KEY', Buffer.from('3083ffffff020100', 'hex'))],
    ['a length of five bytes', key('PRIVATE KEY', Buffer.from('30850000000003020100', 'hex'))],
    ['sequences of 30,000 levels', key('PRIVATE KEY', nested(30_000))],
    ['characters outside base64', dsaKey(1_024).replace(/\nM/, '\n\0-M')],
  ];
  return list.map(([what, text]) => ({ what, pem: text }));
}

/** Indefinite lengths, one in the other. */
function nested(levels: number): Buffer {
  return Buffer.concat(Array.from({ length: levels }, () => Buffer.of(0x30, 0x80)));
}

export interface ExpensiveCertificate {
  readonly what: string;
  readonly pem: string;
}

/** Certificates near 64 KiB in PEM, signed by a key of their own, that cost as much as their size allows. */
export function expensiveCertificates(): readonly ExpensiveCertificate[] {
  const info = (algorithm: Buffer, key: Buffer) => sequence(algorithm, bits(key));
  const rsa = sequence(oid(RSA), Buffer.of(5, 0));
  const names = (count: number) =>
    sequence(...Array.from({ length: count }, () => der(0x31, commonName('a'))));
  const extension = (id: string, value: Buffer) => der(0xa3, sequence(sequence(oid(id), octets(value))));
  const each = (count: number, element: Buffer) =>
    Buffer.concat(Array.from({ length: count }, () => element));
  const point = sequence(der(0xa0, der(0xa1, commonName('a'))));
  const dsa = sequence(random(120_000), random(256), random(120_000));
  const list: readonly (readonly [string, CertificateParts])[] = [
    ['an RSA key of 180,000 bits', { key: info(rsa, sequence(random(180_000), random(180_000))) }],
    ['a DSA key of 120,000 bits', { key: info(sequence(oid(DSA), dsa), random(120_000)) }],
    [
      'a Diffie-Hellman key of 120,000 bits',
      {
        key: info(sequence(oid(DIFFIE_HELLMAN), sequence(random(120_000), random(120_000))), random(120_000)),
      },
    ],
    [
      'an elliptic curve by parameters',
      {
        key: info(
          sequence(oid(ELLIPTIC_CURVE), explicitCurve(656)),
          Buffer.concat([Buffer.of(2), numberOf(655)]),
        ),
      },
    ],
    ['3,000 parts of its name', { name: names(1_500) }],
    ['a name of one part with 2,300 values', { name: sequence(der(0x31, each(2_300, commonName('a')))) }],
    [
      '15,000 alternative names',
      { extensions: extension('551d11', sequence(each(15_000, der(0x82, Buffer.of(97))))) },
    ],
    ['2,800 distribution points', { extensions: extension('551d1f', sequence(each(2_800, point))) }],
    // The library joins each distribution point with the whole name of the issuer.
    [
      '900 distribution points and 1,300 parts of its name',
      { name: names(650), extensions: extension('551d1f', sequence(each(900, point))) },
    ],
    [
      '4,000 extensions',
      { extensions: der(0xa3, sequence(each(4_000, sequence(oid('2a03'), octets(Buffer.alloc(0)))))) },
    ],
  ];
  return list.map(([what, parts]) => ({ what, pem: pem('CERTIFICATE', certificateOf(parts)) }));
}

interface CertificateParts {
  readonly name?: Buffer;
  readonly key?: Buffer;
  readonly extensions?: Buffer;
}

function certificateOf({
  name = sequence(der(0x31, commonName('a'))),
  key,
  extensions,
}: CertificateParts): Buffer {
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const time = (text: string) => der(0x17, Buffer.from(text));
  const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
  const body = sequence(
    der(0xa0, small(2)),
    small(1),
    ecdsaWithSha256,
    name,
    sequence(time('250101000000Z'), time('450101000000Z')),
    name,
    key ?? own.publicKey.export({ type: 'spki', format: 'der' }),
    ...(extensions === undefined ? [] : [extensions]),
  );
  return sequence(body, ecdsaWithSha256, bits(sign('sha256', body, own.privateKey)));
}

function commonName(text: string): Buffer {
  return sequence(oid('550403'), der(0x0c, Buffer.from(text)));
}
