import { describe, expect, it } from 'vitest';
import { whyNotLinear } from '../../../hack/linear-regex/why-not-linear.ts';

const why = ({ source, flags }: RegExp) => whyNotLinear(source, flags);

describe('patterns that hang a process', () => {
  it.each([
    ['the content type that hung this service', /^\s*charset\s*=\s*"?([^"]*?)"?\s*$/],
    ['a repeated repetition', /^(a+)+$/],
    ['a repeated repetition that may be empty', /^(a*)*$/],
    ['alternatives that are the same', /^(?:a|a)*$/],
    ['alternatives that share a character of a class', /^(?:\d|\w)*$/],
    ['alternatives that are the same when case is ignored', /^(?:a|A)*$/i],
    ['what a case-ignoring unicode pattern takes for a k', /^(?:k|\u212a)*$/iu],
    ['neighbours that share characters', /^.*[0-9]{2,}.*x$/],
    ['neighbours with something optional in between', /^\s*a?\s*$/],
    ['items of a list around which blanks may stand on both sides', /^(?:\s*[a-z]*\s*,)*$/],
    ['long bounded repetitions', /^(?:a?){30}a{30}$/],
    ['a word of many words', /^(?:\w+\s?)*$/],
  ])('%s is not linear', (_what, pattern) => {
    expect(why(pattern)).toMatch(/^is (?:exponential|not linear):/);
  });
});

describe('patterns that are quadratic because the search begins again', () => {
  it.each([
    ['slashes at an end', /\/+$/],
    ['blanks at an end', /\s+$/],
    ['one of several characters at an end', /[-.]+$/],
    ['an end that is one of two alternatives', /^\/+|\/+$/g],
    ['blanks around a separator', /\s*,\s*/],
    ['something between two words', /a.*b/],
    ['a tag that never ends', /<[^>]*>/g],
    ['a quoted text that never ends', /"(?:[^"\\]|\\.)*"/],
    ['a block that never ends', /@font-face\s*\{[^}]*\}/g],
    ['a line of many lines', /^\s+at x/m],
    ['characters beyond the basic plane', /\p{Emoji}+$/u],
  ])('%s is not linear', (_what, pattern) => {
    expect(why(pattern)).toMatch(/^is not linear: the search begins again/);
  });
});

describe('what the judge does not understand it refuses', () => {
  it.each([
    ['a group that is referred to', /^(a+)\1$/],
    ['a look ahead without a bound', /^(?=a*b)/],
    ['a look behind without a bound', /(?<=a+)b/],
    ['a class of texts', /^[\q{abc|d}]$/v],
  ])('%s cannot be proved linear', (_what, pattern) => {
    expect(why(pattern)).toMatch(/^cannot be proved linear: it /);
  });
});

describe('patterns that are linear', () => {
  it.each([
    ['an anchored class', /^[a-z]+$/],
    ['a class between characters that it does not hold', /:([a-z]+)/g],
    ['words apart', /^\w+@\w+\.\w+$/],
    ['what always matches where it begins', /\s+/g],
    ['a repetition that begins with its separator', /^[^,]*(?:,[^,]*)*$/],
    ['a DNS label', /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/],
    ['blanks after a comma', /(?:^|,)\s*no-cache/],
    ['a certificate in its armour', /-----BEGIN-----([A-Za-z0-9+/=\s]+)-----END-----/g],
    ['a look ahead at one character', /^a+(?=\n|$)/],
    ['a sticky pattern, which begins at `lastIndex`', /\s*#?/y],
  ])('%s is', (_what, pattern) => {
    expect(why(pattern)).toBeUndefined();
  });
});
