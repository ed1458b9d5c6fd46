import { describe, expect, it } from 'vitest';
import {
  expiresAtViolation,
  parseExpiryTime,
  parsePeriod,
  rotateEveryViolation,
} from '../../../src/contract/expiry.ts';
import { formatTime, parseTime } from '../../../src/contract/times.ts';

const DAY_MS = 86_400_000;

describe('a time', () => {
  it.each([
    ['1970-01-01T00:00:00Z', 0],
    ['2028-02-29T00:00:00z', Date.UTC(2028, 1, 29)],
    ['2027-01-31t23:59:60Z', Date.UTC(2027, 1, 1)],
    ['2027-01-31T01:00:00+01:00', Date.UTC(2027, 0, 31)],
    ['2027-01-31T00:00:00.5-00:30', Date.UTC(2027, 0, 31, 0, 30, 0, 500)],
    ['9999-12-31T23:59:59Z', Date.UTC(9999, 11, 31, 23, 59, 59)],
    ['9999-12-31T23:59:59.999Z', Date.UTC(9999, 11, 31, 23, 59, 59, 999)],
  ])('%s is as in RFC 3339', (text, time) => {
    expect(parseTime(text)).toBe(time);
    expect(expiresAtViolation(text)).toBeUndefined();
  });

  it.each([
    '2027-01-31',
    '2027-01-31 00:00:00Z',
    '2027-01-31T00:00:00',
    '2027-01-31T00:00Z',
    '2027-02-29T00:00:00Z',
    '2027-13-01T00:00:00Z',
    '2027-01-31T24:00:00Z',
    '2027-01-31T00:60:00Z',
    '2027-01-31T00:00:61Z',
    '2027-01-31T00:00:00+24:00',
    '2027-01-31T00:00:00+0100',
    '2027-01-31T00:00:00.Z',
    '2027-01-31T00:00:00.0000000000Z',
    ' 2027-01-31T00:00:00Z',
    '2027-01-31T00:00:00Z\n',
    '+002027-01-31T00:00:00Z',
    '20270131T000000Z',
    'Sun, 31 Jan 2027 00:00:00 GMT',
    '1801440000000',
    'tomorrow',
    `2027-01-31T00:00:00.${'0'.repeat(1_000_000)}Z`,
  ])('%s is none', (text) => {
    expect(parseTime(text)).toBeUndefined();
    expect(expiresAtViolation(text)).toMatch(/^must be a time from 1970 to 9999 as in RFC 3339/);
  });

  it('of an expiry can be written again: years 1970 to 9999', () => {
    for (const text of [
      '1969-12-31T23:59:59Z',
      '0000-01-01T00:00:00Z',
      '9999-12-31T23:59:59-00:01',
      '1970-01-01T00:00:00+00:01',
    ]) {
      expect(parseTime(text)).toBeDefined();
      expect(parseExpiryTime(text)).toBeUndefined();
    }
  });

  it('is written in UTC, with a fraction only where there is one', () => {
    expect(formatTime(Date.UTC(2027, 0, 31))).toBe('2027-01-31T00:00:00Z');
    expect(formatTime(Date.UTC(2027, 0, 31) + 5)).toBe('2027-01-31T00:00:00.005Z');
  });
});

describe('a period of rotation', () => {
  it.each([
    ['1h', DAY_MS / 24],
    ['60m', DAY_MS / 24],
    ['12h', DAY_MS / 2],
    ['30d', 30 * DAY_MS],
    ['3650d', 3_650 * DAY_MS],
  ])('%s is from one hour to ten years', (text, milliseconds) => {
    expect(parsePeriod(text)).toBe(milliseconds);
    expect(rotateEveryViolation(text)).toBeUndefined();
  });

  it.each([
    '59m',
    '3599s',
    '0d',
    '3651d',
    '87601h',
    '-1d',
    '1.5d',
    '30',
    'd',
    '30 d',
    '30D',
    '030d',
    'P30D',
    '1w',
  ])('%s is none', (text) => {
    expect(parsePeriod(text)).toBeUndefined();
    expect(rotateEveryViolation(text)).toBe(
      'must be a duration from 1h to 3650d, such as 12h or 30d, or empty',
    );
  });

  it('and a time may be empty, which removes them', () => {
    expect([expiresAtViolation(''), rotateEveryViolation('')]).toEqual([undefined, undefined]);
  });
});
