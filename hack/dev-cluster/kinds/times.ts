import { DecodeError, wrongType, type Shape } from './shape.ts';

const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const RFC3339_MICRO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}(Z|[+-]\d\d:\d\d)$/;

/** metav1.Time: RFC 3339, written in whole seconds of UTC. */
export const time: Shape = {
  zero: null,
  omitZero: true,
  decode(value, path, decoding) {
    if (typeof value !== 'string') throw wrongType(value, path, decoding, 'string');
    if (!RFC3339.test(value) || Number.isNaN(Date.parse(value))) {
      throw unparsable(value, '2006-01-02T15:04:05Z07:00');
    }
    return wholeSeconds(new Date(value));
  },
};

/** metav1.MicroTime: exactly six fractional digits; real servers refuse any other number of them. */
export const microTime: Shape = {
  zero: null,
  omitZero: true,
  decode(value, path, decoding) {
    if (typeof value !== 'string') throw wrongType(value, path, decoding, 'string');
    if (!RFC3339_MICRO.test(value) || Number.isNaN(Date.parse(value))) {
      throw unparsable(value, '2006-01-02T15:04:05.000000Z07:00');
    }
    const fraction = value.slice(20, 26);
    return `${new Date(value).toISOString().slice(0, 20)}${fraction}Z`;
  },
};

export function wholeSeconds(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

function unparsable(value: string, layout: string): DecodeError {
  return new DecodeError(`parsing time ${JSON.stringify(value)} as ${JSON.stringify(layout)}: cannot parse`);
}
