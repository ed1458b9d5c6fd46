import type { Choices } from '../random.ts';
import { bits, der, integer, octets, sequence } from '../../../fakes/der.ts';
import { NULL, objectId, randomBytes, randomNumber, set, small, utf8 } from './der.ts';
import { anySize, curveParameters, DSA, EC, RSA, type Described } from './keys.ts';

const COMMON_NAME = '2.5.4.3';
const SHA256_WITH_RSA = sequence(objectId('1.2.840.113549.1.1.11'), NULL);
const NAME_TEXTS = ['a', 'İ', ' b  c ', '\u0301', '🙂', 'ß'];

interface Parts {
  readonly name: Buffer;
  readonly publicKey: Buffer;
  readonly extensions: Buffer;
}

/** Certificates that look like a chain: each the issuer of the one before, with keys of any size. */
export function anyChain(choices: Choices): readonly Described[] {
  const { pick, chance } = choices;
  const name = anyName(choices);
  const length = pick([1, 2, 10, 11, 100]);
  const make = (): Described => {
    const [keyText, publicKey] = anyPublicKey(choices);
    const [extensionText, extensions] = anyExtensions(choices);
    return {
      what: `certificate with ${keyText}, ${extensionText} and a name of ${name.byteLength} bytes`,
      der: certificate(choices, { name, publicKey, extensions }),
      label: 'CERTIFICATE',
    };
  };
  // The same again and again costs nothing to make.
  const first = make();
  return Array.from({ length }, (_, index) => (index === 0 || chance(0.9) ? first : make()));
}

function certificate(choices: Choices, { name, publicKey, extensions }: Parts): Buffer {
  const validity = sequence(
    der(0x17, Buffer.from('200101000000Z')),
    der(0x18, Buffer.from(choices.pick(['20991231235959Z', '99991231235959Z', '21000230000000Z']))),
  );
  const toBeSigned = sequence(
    der(0xa0, small(2)),
    integer(randomNumber(choices, choices.pick([64, 160, 80_000]))),
    ...[SHA256_WITH_RSA, name, validity, name, publicKey, extensions],
  );
  return sequence(toBeSigned, SHA256_WITH_RSA, bits(randomBytes(choices, choices.pick([256, 8_192]))));
}

/** Issuer and subject alike, so that whoever compares them comes to the end. */
function anyName({ pick }: Choices): Buffer {
  const part = sequence(objectId(COMMON_NAME), utf8(pick(NAME_TEXTS).repeat(pick([1, 64, 5_000]))));
  return pick([
    () => sequence(set(part)),
    () => sequence(...Array.from({ length: Math.min(1_000, 20_000 / part.byteLength) }, () => set(part))),
    () => sequence(set(...Array.from({ length: Math.min(1_000, 20_000 / part.byteLength) }, () => part))),
  ])();
}

function anyPublicKey(choices: Choices): readonly [string, Buffer] {
  const size = anySize(choices);
  const number = (): Buffer => integer(randomNumber(choices, size));
  return choices.pick([
    (): readonly [string, Buffer] => [
      `an RSA key of ${size} bits`,
      sequence(sequence(objectId(RSA), NULL), bits(sequence(number(), number()))),
    ],
    (): readonly [string, Buffer] => [
      `a DSA key of ${size} bits`,
      sequence(sequence(objectId(DSA), sequence(number(), number(), number())), bits(number())),
    ],
    (): readonly [string, Buffer] => [
      `an EC key on a curve of its own of ${size} bits`,
      sequence(
        sequence(objectId(EC), curveParameters(choices, size)),
        bits(Buffer.concat([Buffer.of(choices.pick([2, 4])), randomNumber(choices, size)])),
      ),
    ],
  ])();
}

/** Alternative names, key identifiers, constraints, addresses, and what no one uses. */
const EXTENSIONS: Readonly<Record<string, Buffer>> = {
  '2.5.29.17': sequence(der(0x82, Buffer.from('a.example.com'))),
  '2.5.29.35': sequence(der(0x80, Buffer.alloc(20, 1))),
  '2.5.29.14': octets(Buffer.alloc(20, 1)),
  '2.5.29.30': sequence(der(0xa0, sequence(der(0x82, Buffer.from('.example.com'))))),
  '2.5.29.32': sequence(sequence(objectId('1.2.3.4'))),
  '1.3.6.1.5.5.7.1.7': sequence(sequence(octets(Buffer.of(0, 1)), NULL)),
  // Distribution points, each relative to the name of the issuer.
  '2.5.29.31': sequence(sequence(der(0xa0, der(0xa1, sequence(objectId(COMMON_NAME), utf8('a')))))),
  '1.2.3.4.5.6': NULL,
};

function anyExtensions({ pick }: Choices): readonly [string, Buffer] {
  const id = pick(Object.keys(EXTENSIONS));
  const value = EXTENSIONS[id] ?? NULL;
  const [count, repeats] = pick([
    [1, 1],
    [1, Math.floor(40_000 / value.byteLength)],
    [400, 1],
    [400, 40],
  ] as const);
  // A sequence may have many of what it holds; nothing else may.
  const inner =
    value[0] === 0x30 ? sequence(...Array.from({ length: repeats }, () => value.subarray(2))) : value;
  const one = sequence(objectId(id), octets(inner));
  return [
    `${count} extensions ${id} of ${repeats}`,
    der(0xa3, sequence(...Array.from({ length: count }, () => one))),
  ];
}
