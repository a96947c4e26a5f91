import { css } from '../../base/colours';
import { signature } from '../../base/signature';
import { brief, exact, grouped } from '../../base/time';
import { Breakable } from '../parts/breakable';
import type { Model } from '../../state/model';
import type { Column } from './grid';

/** A duration in a column, in readable form. */
export function ns(duration: number): string {
  return brief(BigInt(Math.round(duration)));
}

export function exactNs(duration: number): string {
  return exact(BigInt(Math.round(duration)));
}

/** Percent, to two digits. */
export function percent(part: number, whole: number): string {
  if (whole <= 0) return '0 %';
  const share = (part / whole) * 100;
  if (share > 0 && share < 0.1) return '< 0.1 %';
  return `${share >= 10 ? Math.round(share) : Math.round(share * 10) / 10} %`;
}

export function duration(
  id: string,
  title: string,
  hint: string,
  of: (row: number) => number,
  width = 'var(--number-column)',
): Column {
  return {
    id,
    title,
    hint,
    head: `${title.toLowerCase()} (ns)`,
    number: true,
    width,
    value: of,
    text: (row) => ns(of(row)),
    exact: (row) => exactNs(of(row)),
  };
}

export function count(id: string, title: string, hint: string, of: (row: number) => number): Column {
  return {
    id,
    title,
    hint,
    head: title.toLowerCase(),
    number: true,
    width: 'var(--number-column)',
    value: of,
    text: (row) => grouped(of(row)),
  };
}

interface BarLook {
  readonly colour?: (row: number) => string;
  /** This share of the number is paler, at the bar's end. */
  readonly pale?: (row: number) => number;
}

/** A number with a bar for its share. */
export function withBar(
  column: Column,
  whole: number,
  of: (row: number) => number,
  { colour, pale }: BarLook = {},
): Column {
  const share = (part: number) => (whole > 0 ? `${Math.min(100, (part / whole) * 100)}%` : '0');
  return {
    ...column,
    exact: (row) => `${column.exact ? column.exact(row) : column.text(row)}, ${percent(of(row), whole)}`,
    cell: (row) => (
      <>
        <span class="bar">
          <i style={{ width: share(of(row) - (pale?.(row) ?? 0)), ...(colour ? { background: colour(row) } : {}) }} />
          {pale && pale(row) > 0 && <i class="pale" style={{ width: share(pale(row)) }} />}
        </span>
        <span class="amount">{column.text(row)}</span>
        <small>{percent(of(row), whole)}</small>
      </>
    ),
  };
}

/** A method: its colour, class and name, and faintly the package. */
export function MethodName({ model, method }: { model: Model; method: number }) {
  const known = model.methods.get(method);
  const dot = known?.type.lastIndexOf('.') ?? -1;
  return (
    <>
      <i class="swatch" style={{ background: css(model.methods.colour(method, model.theme)) }} />
      <span class="method-name">{known?.label ?? '…'}</span>
      {dot > 0 && <small class="package">{known!.type.slice(0, dot)}</small>}
    </>
  );
}

export function methodTitle(model: Model, method: number): string {
  const known = model.methods.get(method);
  return known ? `${known.full}\n${signature(known.name, known.descriptor)}` : '';
}

export function methodColumn(
  model: Model,
  of: (row: number) => number,
  width = 'minmax(var(--name-column), 1.6fr)',
): Column {
  return {
    id: 'method',
    title: 'Method',
    head: 'method',
    width,
    value: (row) => fullName(model, of(row)),
    text: (row) => fullName(model, of(row)),
    exact: (row) => methodTitle(model, of(row)),
    cell: (row) => <MethodName model={model} method={of(row)} />,
  };
}

export function fullName(model: Model, method: number): string {
  return model.methods.get(method)?.full ?? '';
}

/** A name of a package or class, which may be long. */
export function Name({ name }: { name: string }) {
  return (
    <span class="method-name">
      <Breakable name={name} />
    </span>
  );
}
