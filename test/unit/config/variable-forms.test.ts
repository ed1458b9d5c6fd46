import { describe, expect, it } from 'vitest';
import { problemsOf, formsOf, offenders } from './settings-fixture.ts';

describe('the form of a variable', () => {
  it.each(formsOf('good'))('%s takes %j', (name, value) => {
    expect(offenders({ [name]: value })).not.toContain(name);
  });

  it.each(formsOf('bad'))('%s refuses %j, alone and without repeating it', (name, value) => {
    const problems = problemsOf({ [name]: value });
    expect(problems.map(({ variable }) => variable)).toEqual([name]);
    const [problem] = problems;
    expect(problem?.rule).toMatch(/^must /);
    if (value.length > 8) expect(problem?.rule).not.toContain(value);
  });
});
