import { describe, expect, test } from 'vitest';
import { type TimeWindow, windowOf } from '../../src/base/window';
import { Past } from '../../src/views/past';

const at = (seconds: number): TimeWindow => windowOf(BigInt(seconds) * 1000n, BigInt(seconds + 1) * 1000n);

describe('the past', () => {
  test('is where one looked, without what was on the way', () => {
    const past = new Past();
    past.moved(at(1), 0);
    past.moved(at(2), 1000);
    past.moved(at(3), 1010);
    past.moved(at(4), 1020);
    past.moved(at(5), 3000);
    expect(past.back(3100)).toEqual(at(4));
    expect(past.back(3200)).toEqual(at(1));
    expect(past.back(3300)).toBeUndefined();
  });

  test('does not fill with what was gone back to', () => {
    const past = new Past();
    past.moved(at(1), 0);
    past.moved(at(2), 1000);
    past.back(2000);
    past.moved(at(1), 2001);
    past.moved(at(3), 3000);
    expect(past.back(9000)).toEqual(at(1));
    expect(past.back(9000)).toBeUndefined();
  });
});
