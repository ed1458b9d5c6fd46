import { describe, expect, it } from 'vitest';
import { createServerTime } from '../../../../src/cluster/transport/status.ts';

function fixture() {
  const clock = { ms: 5_000 };
  return { clock, time: createServerTime({ now: () => clock.ms }) };
}

describe("the cluster's time", () => {
  it('is unknown until an answer has it', () => {
    expect(fixture().time.now()).toBeUndefined();
  });

  it('is the Date of the last answer, and goes on with the monotonic clock', () => {
    const { clock, time } = fixture();
    time.note('Sun, 06 Nov 1994 08:49:37 GMT');
    expect(time.now()).toBe(Date.UTC(1994, 10, 6, 8, 49, 37));
    clock.ms += 1_500;
    expect(time.now()).toBe(Date.UTC(1994, 10, 6, 8, 49, 38, 500));
    time.note('Sun, 06 Nov 1994 08:59:37 GMT');
    expect(time.now()).toBe(Date.UTC(1994, 10, 6, 8, 59, 37));
  });

  it.each([undefined, '', 'yesterday', '1994', '2026-01-01T00:00:00Z', 'Sun, 99 Nov 1994 99:99:99 GMT'])(
    'does not take %j for one',
    (date) => {
      const { time } = fixture();
      time.note(date);
      expect(time.now()).toBeUndefined();
    },
  );
});
