import { css, type Rgb, type Theme } from '../base/colours';

/** Colours of everything in the picture that is not a call. */
export interface Palette {
  readonly theme: Theme;
  readonly ground: Rgb;
  readonly groundStyle: string;
  /** A thread's row during its lifetime. */
  readonly alive: string;
  readonly processRow: string;
  readonly line: string;
  readonly gridLine: Rgb;
  /** How strongly the grid covers what is under it. */
  readonly gridShare: number;
  readonly text: string;
  readonly faint: string;
  readonly onCall: string;
  readonly loss: string;
  readonly lossGround: string;
  readonly error: string;
  /** Counted calls: bars, and the ground under them. */
  readonly counted: string;
  readonly countedGround: string;
  /** The recorder records less from here on, or more. */
  readonly stepDown: string;
  readonly stepUp: string;
  readonly cursor: string;
  readonly select: string;
  /** In the minimap: activity, and hits of a search. */
  readonly activity: string;
  readonly hit: string;
  /** The critical path. */
  readonly path: string;
}

const LIGHT: Rgb = [255, 255, 255];
const DARK: Rgb = [22, 24, 29];

export const PALETTES: Record<Theme, Palette> = {
  light: {
    theme: 'light',
    ground: LIGHT,
    groundStyle: css(LIGHT),
    alive: '#f3f5f8',
    processRow: '#e9edf3',
    line: '#dfe4eb',
    gridLine: [40, 60, 90],
    gridShare: 0.1,
    text: '#1c2430',
    faint: '#5a6675',
    onCall: '#10161f',
    loss: '#c2410c',
    lossGround: 'rgba(255, 237, 224, 0.88)',
    error: '#c81e3a',
    counted: '#76859f',
    countedGround: '#e2e7ef',
    stepDown: '#b45309',
    stepUp: '#0f766e',
    cursor: '#1f6feb',
    select: '#0b3d91',
    activity: '#8fa5c4',
    hit: '#a21caf',
    path: '#d0104c',
  },
  dark: {
    theme: 'dark',
    ground: DARK,
    groundStyle: css(DARK),
    alive: '#1d2027',
    processRow: '#262b35',
    line: '#2c313c',
    gridLine: [200, 215, 240],
    gridShare: 0.09,
    text: '#e6eaf1',
    faint: '#9aa5b5',
    onCall: '#0a0d12',
    loss: '#ff9b57',
    lossGround: 'rgba(58, 34, 18, 0.88)',
    error: '#ff6b81',
    counted: '#8391aa',
    countedGround: '#2a303b',
    stepDown: '#f2a65a',
    stepUp: '#4fd1b5',
    cursor: '#6cb1ff',
    select: '#ffffff',
    activity: '#5d7396',
    hit: '#f08cff',
    path: '#ff5c8a',
  },
};
