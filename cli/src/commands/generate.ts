import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { command } from '../command.ts';
import { usage } from '../failure.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const SYMBOLS = `${LETTERS}!#%&()*+,-./:;<=>?@[]^_{|}~`;

const characters = (alphabet: string) => (length: number) =>
  Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');

/** A length is characters, and bytes of hex and base64. */
const KINDS: Readonly<Record<string, (length: number) => string>> = {
  letters: characters(LETTERS),
  symbols: characters(SYMBOLS),
  hex: (length) => randomBytes(length).toString('hex'),
  base64: (length) => randomBytes(length).toString('base64'),
  uuid: () => randomUUID(),
};

export const generate = command({
  name: 'generate',
  summary: 'Write a random value',
  usage: '',
  min: 0,
  max: 0,
  details: ['Nothing is sent anywhere. In a pipe there is no line break after the value.'],
  options: {
    kind: { type: 'string', value: Object.keys(KINDS).join('|'), summary: 'letters (and digits) without it' },
    length: {
      type: 'string',
      value: 'N',
      summary: '8 to 512 characters, or bytes of hex and base64; 32 without it',
    },
  },
  examples: [
    'secretsctl generate | secretsctl set -n team-a database password=-',
    'secretsctl generate --kind base64 --length 48',
  ],
  run({ terminal }, { options }) {
    const kind = options.kind ?? 'letters';
    const make = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
    const length = Number(options.length ?? '32');
    if (make === undefined) throw usage(`--kind must be one of ${Object.keys(KINDS).join(', ')}`);
    if (!Number.isInteger(length) || length < 8 || length > 512) throw usage('--length must be 8 to 512');
    terminal.write(`${make(length)}${terminal.isOutputTerminal ? '\n' : ''}`);
    return Promise.resolve(undefined);
  },
});
