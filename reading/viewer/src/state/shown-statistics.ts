import type { Address } from '../base/address';
import {
  type Grouping,
  GROUPINGS,
  LEVELS,
  MATRIX_KINDS,
  type MatrixKind,
  type ShareLevel,
  type Subject,
  SUBJECTS,
} from '../data/statistics';

export const MEASURES = ['count', 'bytes', 'latency'] as const;
export type Measure = (typeof MEASURES)[number];

/** What has a duration of its own, so that it has a share of threads' time. */
export const TIMED = ['calls', 'waits', 'kernel', 'cpus', 'jvm'] as const satisfies readonly Subject[];

function among<T extends string>(words: readonly T[], word: string | undefined, otherwise: T): T {
  return words.find((each) => each === word) ?? otherwise;
}

/** What the statistics, the matrix and the shares of time are about. */
export class ShownStatistics {
  subject: Subject = 'calls';
  by: Grouping = 'none';
  matrix: MatrixKind = 'messages';
  parties: Grouping = 'thread';
  measure: Measure = 'count';
  timed: Subject = 'calls';
  level: ShareLevel = 'package';

  constructor(private readonly changed: () => void) {}

  choose(
    some: Partial<Pick<ShownStatistics, 'subject' | 'by' | 'matrix' | 'parties' | 'measure' | 'timed' | 'level'>>,
  ): void {
    Object.assign(this, some);
    this.changed();
  }

  address(): Pick<Address, 'statistics' | 'matrix' | 'shares'> {
    const statistics = `${this.subject},${this.by}`;
    const matrix = `${this.matrix},${this.parties},${this.measure}`;
    const shares = `${this.timed},${this.level}`;
    return {
      ...(statistics === 'calls,none' ? {} : { statistics }),
      ...(matrix === 'messages,thread,count' ? {} : { matrix }),
      ...(shares === 'calls,package' ? {} : { shares }),
    };
  }

  apply({ statistics = '', matrix = '', shares = '' }: Address): void {
    const [subject, by] = statistics.split(',');
    this.subject = among(SUBJECTS, subject, 'calls');
    this.by = among(GROUPINGS, by, 'none');
    const [kind, parties, measure] = matrix.split(',');
    this.matrix = among(MATRIX_KINDS, kind, 'messages');
    this.parties = among(GROUPINGS, parties, 'thread');
    this.measure = among(MEASURES, measure, 'count');
    const [timed, level] = shares.split(',');
    this.timed = among<Subject>(TIMED, timed, 'calls');
    this.level = among(LEVELS, level, 'package');
  }
}
