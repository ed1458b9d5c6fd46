/** What makes careless code go over a text again and again, one class for each reason. */
const PARTS: readonly string[] = [
  ...[
    ' ',
    '\t',
    ' \t',
    '"',
    "'",
    ',',
    ';',
    ', ',
    '; ',
    '=',
    'a=b; ',
    'a=b,',
    '\\',
    '\\"',
    '"\\',
    '.',
    '..',
    '-',
    '-.',
  ],
  ...[
    '/',
    '//',
    '/../',
    '%',
    '%2',
    '%20',
    '%00',
    '%25',
    ':',
    '::',
    '@',
    '&',
    '&a=',
    '?',
    '#',
    '+',
    '*',
    '*/*,',
    '0',
    '1,',
  ],
  ...['a', 'A', 'aA', 'a.', 'a-', '_', '(', '()', '[', '[]', '[[', '{', '{}', '<', '<a ', '$', '^', '|', '!'],
  ...[
    'ä',
    'é',
    'e\u0301',
    '\u212a',
    '\u0130',
    '\u00df',
    '\ufb03',
    '\u202e',
    '\u2066',
    '\u2028',
    '\u00a0',
    '\ufeff',
    '\u200d',
    '🙂',
  ],
];

/** What follows a long run decides whether what was tried is tried again: an end that fits, and ends that do not. */
const ENDS: readonly string[] = ['!', '""b', ' x', ''];
/** Those that are tried with every end: most patterns care for one of them. */
const MOST_USUAL = 12;

/** Long texts of about this many bytes in UTF-8. */
export function hostileTexts(bytes: number): readonly string[] {
  return PARTS.flatMap((part, index) => {
    const run = part.repeat(Math.floor(bytes / Buffer.byteLength(part)));
    const ends = index < MOST_USUAL ? ENDS : ENDS.slice(index % ENDS.length).slice(0, 1);
    return ends.map((end) => run + end);
  });
}

/** As {@link hostileTexts}, a few that stand for all: for where each costs a lot. */
export function largeTexts(bytes: number): readonly string[] {
  return ['a', ' ', 'ä', '🙂', '\n', '"', ',', '\u0000', '.'].map((part) =>
    part.repeat(Math.floor(bytes / Buffer.byteLength(JSON.stringify(part).slice(1, -1)))),
  );
}

/** What JSON can hold and no other text can. */
export const ILL_FORMED: readonly string[] = ['\ud800', '\udc00', 'a\ud800', '\udc00\ud800'];
