import { DecodeError, wrongType, type Shape } from './shape.ts';

const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const RFC3339_MICRO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}(Z|[+-]\d\d:\d\d)$/;

/** metav1.Time: RFC 3339, written in whole seconds of UTC. */
export const time = timeShape(RFC3339, '2006-01-02T15:04:05Z07:00', (text) => wholeSeconds(new Date(text)));

/** metav1.MicroTime: exactly six fractional digits; real servers refuse any other number of them. */
export const microTime = timeShape(
  RFC3339_MICRO,
  '2006-01-02T15:04:05.000000Z07:00',
  (text) => `${new Date(text).toISOString().slice(0, 20)}${text.slice(20, 26)}Z`,
);

function timeShape(pattern: RegExp, layout: string, write: (text: string) => string): Shape {
  return {
    zero: null,
    omitZero: true,
    decode(value, path, decoding) {
      if (typeof value !== 'string') throw wrongType(value, path, decoding, 'string');
      if (pattern.test(value) && !Number.isNaN(Date.parse(value))) return write(value);
      throw new DecodeError(
        `parsing time ${JSON.stringify(value)} as ${JSON.stringify(layout)}: cannot parse`,
      );
    },
  };
}

export function wholeSeconds(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}
