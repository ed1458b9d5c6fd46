import { describe, expect, it } from 'vitest';
import { FIELDS, type LogFields } from '../../../src/observability/logger.ts';
import { recordingLogger } from './log-lines.ts';
import { column, readDocument, listRows } from './markdown-tables.ts';

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error'] as const;

describe('a log line', () => {
  it('has its level, its time in UTC, its event, and the fields that were given', () => {
    const { logger, lines } = recordingLogger();
    logger.info('something happened', { namespace: 'team-a', count: 2, redirectBaseMatches: false });
    const [line] = lines();
    expect(line).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      event: 'something happened',
      namespace: 'team-a',
      count: 2,
      redirectBaseMatches: false,
    });
  });

  it.each(LEVELS)('of level %s says so, and ends with a newline', (level) => {
    const { logger, lines, text } = recordingLogger();
    logger[level]('event');
    expect(lines()[0]).toMatchObject({ level });
    expect(text().endsWith('}\n')).toBe(true);
  });

  it('drops every field that is not on the list, whatever it is called', () => {
    const { logger, text, lines } = recordingLogger();
    const hostile: Record<string, unknown> = {
      value: 'planted-4711',
      password: 'planted-4711',
      err: new Error('planted-4711'),
      error: 'planted-4711',
      msg: 'planted-4711',
      constructor: 'planted-4711',
      requestid: 'planted-4711',
      namespace: 'team-a',
    };
    Object.defineProperty(hostile, '__proto__', { value: 'planted-4711', enumerable: true });
    logger.info('event', hostile);
    logger.with(hostile).warn('event', hostile);
    expect(text()).not.toContain('planted-4711');
    expect(lines().map((line) => line['namespace'])).toEqual(['team-a', 'team-a']);
  });

  it('drops what is not a string, a number or a boolean', () => {
    const { logger, text } = recordingLogger();
    const hidden = 'planted-4711';
    const values: readonly unknown[] = [
      { toJSON: () => hidden },
      [hidden],
      new Error(hidden),
      Buffer.from(hidden),
      new Map([['a', hidden]]),
      () => hidden,
      Symbol(hidden),
      10n,
      null,
      undefined,
    ];
    for (const value of values) logger.info('event', { reason: value } as LogFields);
    expect(text()).not.toContain(hidden);
    expect(text()).not.toContain('reason');
  });

  it('takes every field of the list', () => {
    const { logger, lines } = recordingLogger();
    logger.info('event', Object.fromEntries(FIELDS.map((field) => [field, 'x'])));
    for (const field of FIELDS) expect(lines()[0]?.[field]).toBe('x');
  });

  it('stays one line whatever a field holds', () => {
    const { logger, text, lines } = recordingLogger();
    logger.info('event', { name: 'a\n{"level":"fatal"}\r\u2028\u0000"' });
    expect(text().trimEnd().split('\n')).toHaveLength(1);
    expect(lines()[0]?.['level']).toBe('info');
  });

  it.each(FIELDS)(
    'holds nothing in %s that could steer a terminal, and never more than its bound',
    (field) => {
      const { logger, text, lines } = recordingLogger();
      const hostile =
        '\u0000\u001b[2J\u007f\u0085\u009b31m\u061c\u200b\u200e\u202e\u2028\u2029\u2066\ufeff\ud800\u{e0041}';
      logger.info('event', { [field]: hostile });
      logger.with({ [field]: hostile }).warn('event');
      logger.error('event', { [field]: `${hostile}${'x'.repeat(1_000_000)}` });
      // As it is written, and as a reader prints it who has parsed it: but for the newlines between lines.
      for (const written of [...text().split('\n'), ...lines().map((line) => String(line[field]))]) {
        expect(written).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
      }
      expect(lines()[0]?.[field]).toBe(
        '\\u{0}\\u{1b}[2J\\u{7f}\\u{85}\\u{9b}31m\\u{61c}\\u{200b}\\u{200e}\\u{202e}\\u{2028}\\u{2029}\\u{2066}\\u{feff}\\u{d800}\\u{e0041}',
      );
      const longest = field === 'workloads' ? 16_384 : 1_024;
      expect(String(lines()[2]?.[field])).toMatch(/… \(10000\d\d characters\)$/);
      expect(String(lines()[2]?.[field]).length).toBeLessThanOrEqual(longest + 30);
    },
  );

  it('does not take process id and host name along', () => {
    const { logger, lines } = recordingLogger();
    logger.info('event');
    expect(Object.keys(lines()[0] ?? {}).toSorted()).toEqual(['event', 'level', 'time']);
  });
});

describe('a logger with fields of its own', () => {
  it('adds them to every line; the line wins', () => {
    const { logger, lines } = recordingLogger();
    const bound = logger.with({ component: 'audit', name: 'a' }).with({ namespace: 'n' });
    bound.info('event', { name: 'b' });
    logger.info('event');
    expect(lines()[0]).toMatchObject({ component: 'audit', name: 'b', namespace: 'n' });
    expect(lines()[1]).not.toHaveProperty('component');
  });
});

describe('the level', () => {
  it.each([
    ['trace', LEVELS],
    ['info', ['info', 'warn', 'error']],
    ['error', ['error']],
    ['fatal', []],
    ['silent', []],
  ] as const)('%s lets through %j', (level, passing) => {
    const { logger, lines } = recordingLogger(level);
    for (const each of LEVELS) logger[each]('event');
    expect(lines().map((line) => line['level'])).toEqual(passing);
  });
});

describe('docs/observability.md', () => {
  const rows = listRows(readDocument('observability.md'), 'Fields', ['Field', 'Type', 'Meaning']);

  it('describes every field once, and no other', () => {
    const fields = column(rows, 'Field').flatMap((cell) => cell.split(', '));
    expect(fields.toSorted()).toEqual(FIELDS.toSorted());
  });

  it('gives each a type and a meaning', () => {
    for (const type of column(rows, 'Type'))
      expect(type).toMatch(/^(string|number|boolean)(, (string|number))?$/);
    for (const meaning of column(rows, 'Meaning')) expect(meaning).toMatch(/\w{3,}/);
  });
});
