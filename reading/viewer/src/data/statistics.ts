import type { LatenciesAnswer } from './contract';

/** What statistics are about, as the server names it. */
export const SUBJECTS = ['calls', 'events', 'messages', 'waits', 'kernel', 'cpus', 'jvm'] as const;
export type Subject = (typeof SUBJECTS)[number];

/** What tells rows apart. */
export const GROUPINGS = ['none', 'process', 'thread', 'core'] as const;
export type Grouping = (typeof GROUPINGS)[number];

export const MATRIX_KINDS = ['messages', 'waits', 'wakeups', 'switches'] as const;
export type MatrixKind = (typeof MATRIX_KINDS)[number];

export const LEVELS = ['package', 'class', 'method'] as const;
export type ShareLevel = (typeof LEVELS)[number];

/** The time of a selection in columns; times are nanoseconds as decimal text. */
export interface TimeColumns {
  readonly atLeast: boolean;
  readonly from: string;
  readonly width: string;
  readonly to: string;
  readonly columns: number;
}

/** How often things happen, and how long they take; one row each, durations in nanoseconds. */
export interface StatisticsAnswer extends TimeColumns {
  /** Rows left out. */
  readonly cut: number;
  /** The method, state or kind of event. */
  readonly method: readonly number[];
  /** The process, the track or the processor. */
  readonly group: readonly number[];
  readonly count: readonly number[];
  readonly counted: readonly number[];
  /** Whether it is known how long any took. */
  readonly timed: readonly number[];
  readonly total: readonly number[];
  readonly least: readonly number[];
  readonly p50: readonly number[];
  readonly p90: readonly number[];
  readonly p99: readonly number[];
  readonly max: readonly number[];
  readonly lossy: readonly number[];
  /** The longest; track −1: there is none. */
  readonly track: readonly number[];
  readonly depth: readonly number[];
  readonly begin: readonly string[];
  readonly duration: readonly number[];
  /** How many began in each column, row after row. */
  readonly begun: readonly number[];
}

export type HeatAnswer = TimeColumns & LatenciesAnswer;

/** Who has to do with whom; one row for each pair. */
export interface MatrixAnswer {
  readonly atLeast: boolean;
  readonly cut: number;
  readonly party: readonly number[];
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly count: readonly number[];
  readonly bytes: readonly number[];
  /** How many say their size. */
  readonly sized: readonly number[];
  readonly total: readonly number[];
  readonly least: readonly number[];
  readonly p50: readonly number[];
  readonly p99: readonly number[];
  readonly most: readonly number[];
  readonly firstTrack: readonly number[];
  readonly firstDepth: readonly number[];
  readonly firstBegin: readonly string[];
  readonly firstDuration: readonly number[];
  readonly longestTrack: readonly number[];
  readonly longestDepth: readonly number[];
  readonly longestBegin: readonly string[];
  readonly longestDuration: readonly number[];
}

/** What the time of threads went to: self times in each column, group after group. */
export interface SharesAnswer extends TimeColumns {
  readonly name: readonly string[];
  /** The method or state with the most time in the group; −1: of several groups. */
  readonly method: readonly number[];
  readonly time: readonly number[];
  readonly byColumn: readonly number[];
}

export interface StatisticsQuestion {
  readonly of: Subject;
  readonly by: Grouping;
  readonly columns: number;
}

export interface HeatQuestion extends StatisticsQuestion {
  readonly method: number;
  /** Without it: all groups. */
  readonly group?: number;
}

export interface MatrixQuestion {
  readonly of: MatrixKind;
  readonly by: Grouping;
}

export interface SharesQuestion {
  readonly of: Subject;
  readonly by: ShareLevel;
  readonly columns: number;
  readonly most: number;
}

/** What is asked, and its parameters as the server takes them. */
export interface StatisticsQuestions {
  readonly statistics: { question: StatisticsQuestion; answer: StatisticsAnswer };
  readonly heat: { question: HeatQuestion; answer: HeatAnswer };
  readonly matrix: { question: MatrixQuestion; answer: MatrixAnswer };
  readonly shares: { question: SharesQuestion; answer: SharesAnswer };
}

export type StatisticsKind = keyof StatisticsQuestions;

/** The path and query of a question. */
export function statisticsPath<K extends StatisticsKind>(
  kind: K,
  question: StatisticsQuestions[K]['question'],
): string {
  const parts = Object.entries(question).map(([name, value]) =>
    name === 'method' ? `methods=${value}` : `${name}=${value}`,
  );
  return `api/${kind}?${parts.join('&')}`;
}

/** The same question about the same part has the same key. */
export function statisticsKey(kind: StatisticsKind, question: object, scope: string): string {
  return `${kind} ${Object.values(question).join(' ')} ${scope}`;
}
