import { useMemo, useState } from 'preact/hooks';
import { css } from '../../base/colours';
import { categorize, type Category, categoryOf, deepest, filterFor, type Level } from '../../data/categories';
import type { Scope } from '../../data/contract';
import type { Model } from '../../state/model';
import { useModel } from '../parts/use';
import { count, duration, Name, ns, withBar } from './cells';
import type { Column } from './grid';
import { Ring } from './ring';
import { Status } from './status';
import { useSummary } from './summary';
import { Table } from './table';

/** Self time by class or package: a ring, bars and a table. */
export function Categories({ model, scope }: { model: Model; scope: Scope }) {
  const asked = useSummary(model, scope);
  const theme = useModel(model, (m) => m.theme);
  const chosen = useModel(model, (m) => m.panel.level);
  const [filter, setFilter] = useState('');
  const [name, setName] = useState<string>();
  const typeOf = (method: number) => model.methods.get(method)?.type ?? '';
  const packages = useMemo(
    () => new Set(asked.answer?.method.map((method) => categoryOf(typeOf(method), 'package'))),
    [asked.answer],
  );
  const level = chosen ?? (packages.size === 1 ? 'class' : 'package');
  const found = useMemo(() => (asked.answer ? categorize(asked.answer, typeOf, level) : []), [asked.answer, level]);
  const depth = useMemo(() => deepest(asked.answer?.method.map(typeOf) ?? []), [asked.answer]);
  const at = found.findIndex((category) => category.name === name);
  const current = at < 0 ? undefined : at;
  const setCurrent = (row: number | undefined) => setName(row === undefined ? undefined : found[row]!.name);
  const whole = found.reduce((sum, category) => sum + category.self, 0);
  const colour = (category: Category) => css(model.methods.typeColour(category.type, theme));
  const columns = useMemo(() => columnsOf(found, whole, colour, level), [found, theme]);
  const choose = (row: number) => {
    model.panel.setMethodFilter(filterFor(found[row]!.name, level));
    model.panel.show('summary');
  };
  return (
    <div class="categories">
      <Ring
        parts={found.map((category) => ({ name: category.name, size: category.self, colour: colour(category) }))}
        whole={whole}
        said={ns}
        current={current}
        onCurrent={setCurrent}
        onChoose={choose}
      />
      <Table
        label="Categories"
        file={`${model.recording?.name ?? 'recording'}-categories`}
        columns={columns}
        count={found.length}
        data={found}
        sort={{ column: 'self', descending: true }}
        filter={filter}
        onFilter={setFilter}
        text={(row) => found[row]!.name}
        current={current}
        onCurrent={setCurrent}
        onAction={(action, row) => action === 'act' && row !== undefined && choose(row)}
        empty={asked.answer ? 'No call in this selection.' : ''}
      >
        <LevelChoice model={model} level={level} depth={depth} />
        <Status asked={asked} />
      </Table>
    </div>
  );
}

function LevelChoice({ model, level, depth }: { model: Model; level: Level; depth: number }) {
  const levels: Level[] = [...Array.from({ length: Math.max(0, depth - 1) }, (_, i) => i + 1), 'package', 'class'];
  return (
    <label class="choice">
      by
      <select
        aria-label="Grouped by"
        value={String(level)}
        onChange={(event) => {
          const { value } = event.currentTarget;
          model.panel.setLevel(value === 'class' || value === 'package' ? value : Number(value));
        }}
      >
        {levels.map((each) => (
          <option key={each} value={String(each)}>
            {typeof each === 'number' ? `first ${each === 1 ? 'part' : `${each} parts`} of the package` : each}
          </option>
        ))}
      </select>
    </label>
  );
}

function columnsOf(
  found: readonly Category[],
  whole: number,
  colour: (category: Category) => string,
  level: Level,
): Column[] {
  const self = duration(
    'self',
    'Self',
    'Time in the methods themselves, without their callees',
    (row) => found[row]!.self,
    'minmax(260px, 1.4fr)',
  );
  return [
    {
      id: 'name',
      title: level === 'class' ? 'Class' : 'Package',
      head: level === 'class' ? 'class' : 'package',
      width: 'minmax(160px, 1fr)',
      value: (row) => found[row]!.name,
      text: (row) => found[row]!.name,
      cell: (row) => (
        <>
          <i class="swatch" style={{ background: colour(found[row]!) }} />
          <Name name={found[row]!.name} />
        </>
      ),
    },
    withBar(self, whole, (row) => found[row]!.self, { colour: (row) => colour(found[row]!) }),
    count('calls', 'Calls', 'Number of calls', (row) => found[row]!.calls),
    count('methods', 'Methods', 'Number of methods called', (row) => found[row]!.methods),
  ];
}
