import type { Choices } from '../random.ts';
import { der, integer, octets, sequence } from '../../../fakes/der.ts';
import { NULL, objectId, randomBytes, randomNumber, small } from './der.ts';

/** A key or certificate, with a description of it for whoever reads why it was objected to. */
export interface Described {
  readonly what: string;
  readonly der: Buffer;
  readonly label: string;
}

/** Up to what fits into the 64 KiB that are read of a key, and beyond. */
const SIZES = [1_024, 2_048, 4_096, 8_192, 10_000, 16_384, 16_392, 24_576, 32_768, 65_536, 131_072];
const EXPONENTS = [160, 8_192, Infinity, Infinity];

export const RSA = '1.2.840.113549.1.1.1';
export const DSA = '1.2.840.10040.4.1';
export const EC = '1.2.840.10045.2.1';
const RSA_PSS = '1.2.840.113549.1.1.10';
const DH = '1.2.840.113549.1.3.1';
const X942_DH = '1.2.840.10046.2.1';
const PRIME_FIELD = '1.2.840.10045.1.1';
const BINARY_FIELD = '1.2.840.10045.1.2';
const TRINOMIAL = '1.2.840.10045.1.2.3.2';
/** P-256, P-384, P-521, secp256k1, brainpoolP512r1, sect571r1. */
const CURVES = [
  '1.2.840.10045.3.1.7',
  '1.3.132.0.34',
  '1.3.132.0.35',
  '1.3.132.0.10',
  '1.3.36.3.3.2.8.1.1.13',
  '1.3.132.0.39',
];
/** X25519, X448, Ed25519, Ed448, ML-DSA, SLH-DSA of each kind, ML-KEM, and an algorithm that does not exist. */
const OCTET_ALGORITHMS = [
  ...['1.3.101.110', '1.3.101.111', '1.3.101.112', '1.3.101.113'],
  ...[
    '2.16.840.1.101.3.4.3.17',
    '2.16.840.1.101.3.4.3.19',
    '2.16.840.1.101.3.4.4.1',
    '2.16.840.1.101.3.4.4.3',
  ],
  ...Array.from({ length: 12 }, (_, index) => `2.16.840.1.101.3.4.3.${20 + index}`),
  '1.2.3.4.5',
];

export function anySize({ pick }: Choices): number {
  return pick(SIZES);
}

const KINDS = [
  ...[rsa, rsa, discreteLogarithm, discreteLogarithm, discreteLogarithm],
  ...[namedCurve, explicitCurve, octetKey, encrypted],
];

/** A private key of any algorithm, size and form. Most are none: nothing but their shape is right. */
export function anyKey(choices: Choices): Described {
  return choices.pick(KINDS)(choices);
}

function pkcs8(algorithm: string, parameters: Buffer, key: Buffer): Buffer {
  return sequence(small(0), sequence(objectId(algorithm), parameters), octets(key));
}

function rsa(choices: Choices): Described {
  const { chance, pick } = choices;
  const size = anySize(choices);
  const number = (count: number) => integer(randomNumber(choices, count));
  const half = size / 2;
  const exponent = pick([17, 32, 64, size]);
  const der = sequence(
    ...[small(0), number(size), number(exponent), number(size)],
    ...[number(half), number(half), number(half), number(half), number(half)],
  );
  const what = `RSA key of ${size} bits, with a public exponent of ${exponent}`;
  if (chance(0.4)) return { what: `PKCS#1 ${what}`, der, label: 'RSA PRIVATE KEY' };
  const algorithm = pick([RSA, RSA_PSS]);
  return { what: `PKCS#8 ${what}`, der: pkcs8(algorithm, NULL, der), label: 'PRIVATE KEY' };
}

/** g^x mod p is what a reader may compute, with each of the three as long as the key says. */
function discreteLogarithm(choices: Choices): Described {
  const size = anySize(choices);
  const exponent = Math.min(size, choices.pick(EXPONENTS));
  const [p, g] = [integer(randomNumber(choices, size)), integer(randomNumber(choices, size - 1))];
  const q = integer(randomNumber(choices, Math.min(size, 256)));
  const x = integer(randomNumber(choices, exponent));
  const bitsOf = `key of ${size} bits, with an exponent of ${exponent}`;
  const pkcs8Of = (name: string, algorithm: string, ...parameters: readonly Buffer[]): Described => ({
    what: `PKCS#8 ${name} ${bitsOf}`,
    der: pkcs8(algorithm, sequence(...parameters), x),
    label: 'PRIVATE KEY',
  });
  return choices.pick([
    () => pkcs8Of('DSA', DSA, p, q, g),
    () => pkcs8Of('DH', DH, p, g),
    () => pkcs8Of('X9.42 DH', X942_DH, p, g, q),
    () => ({
      what: `traditional DSA ${bitsOf}`,
      der: sequence(small(0), p, q, g, g, x),
      label: 'DSA PRIVATE KEY',
    }),
  ])();
}

function namedCurve(choices: Choices): Described {
  const [curve, bytes] = [choices.pick(CURVES), choices.pick([1, 32, 66, 4_096, 32_768])];
  const key = sequence(small(1), octets(randomBytes(choices, bytes)));
  const what = `EC key of ${bytes} bytes on the curve ${curve}`;
  if (choices.chance(0.5))
    return { what: `PKCS#8 ${what}`, der: pkcs8(EC, objectId(curve), key), label: 'PRIVATE KEY' };
  const named = sequence(small(1), octets(randomBytes(choices, bytes)), der(0xa0, objectId(curve)));
  return { what: `SEC 1 ${what}`, der: named, label: 'EC PRIVATE KEY' };
}

/** A curve that the key brings along: over a prime, or over polynomials. */
export function curveParameters(choices: Choices, size: number): Buffer {
  const number = () => randomNumber(choices, size);
  const field = choices.chance(0.7)
    ? sequence(objectId(PRIME_FIELD), integer(number()))
    : sequence(
        objectId(BINARY_FIELD),
        sequence(small(size), objectId(TRINOMIAL), small(Math.floor(size / 3))),
      );
  const curve = sequence(octets(number()), octets(number()));
  const base = octets(Buffer.concat([Buffer.of(choices.pick([2, 3, 4])), number()]));
  return sequence(small(1), field, curve, base, integer(number()), small(1));
}

function explicitCurve(choices: Choices): Described {
  const size = anySize(choices);
  const parameters = curveParameters(choices, size);
  const secret = octets(randomNumber(choices, size));
  const what = `EC key on a curve of its own of ${size} bits`;
  return choices.chance(0.5)
    ? {
        what: `PKCS#8 ${what}`,
        der: pkcs8(EC, parameters, sequence(small(1), secret)),
        label: 'PRIVATE KEY',
      }
    : {
        what: `SEC 1 ${what}`,
        der: sequence(small(1), secret, der(0xa0, parameters)),
        label: 'EC PRIVATE KEY',
      };
}

function octetKey(choices: Choices): Described {
  const [algorithm, bytes] = [
    choices.pick(OCTET_ALGORITHMS),
    choices.pick([0, 32, 57, 64, 96, 128, 2_560, 4_896, 40_000]),
  ];
  const key = randomBytes(choices, bytes);
  return {
    what: `PKCS#8 key of ${bytes} bytes for the algorithm ${algorithm}`,
    der: pkcs8(algorithm, Buffer.alloc(0), choices.chance(0.5) ? octets(key) : key),
    label: 'PRIVATE KEY',
  };
}

/** A password-based one: the rounds stand in the value. */
function encrypted(choices: Choices): Described {
  const rounds = choices.pick([1, 1_000_000, 2 ** 31 - 1]);
  const salt = octets(randomBytes(choices, 16));
  const derivations: readonly (() => Buffer)[] = [
    () => sequence(objectId('1.2.840.113549.1.5.12'), sequence(salt, small(rounds))),
    () =>
      sequence(objectId('1.3.6.1.4.1.11591.4.11'), sequence(salt, small(2 ** 20), small(8), small(rounds))),
  ];
  const cipher = sequence(objectId('2.16.840.1.101.3.4.1.42'), octets(randomBytes(choices, 16)));
  const scheme = sequence(objectId('1.2.840.113549.1.5.13'), sequence(choices.pick(derivations)(), cipher));
  const der = sequence(scheme, octets(randomBytes(choices, 1_024)));
  return {
    what: `encrypted key of ${rounds} rounds`,
    der,
    label: choices.pick(['ENCRYPTED PRIVATE KEY', 'PRIVATE KEY']),
  };
}
