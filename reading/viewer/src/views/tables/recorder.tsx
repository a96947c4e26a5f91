import { useMemo, useState } from 'preact/hooks';
import { budgetSays, isDown, modeSays, tookSays } from '../../base/modes';
import { grouped, moment } from '../../base/time';
import type { Step } from '../../render/scene';
import type { Model } from '../../state/model';
import { useModel } from '../parts/use';
import { fullName, methodColumn } from './cells';
import type { Column } from './grid';
import { Table } from './table';

/** What the recorder did to keep its budget: when and why it changed the way in which it records a method. */
export function Recorder({ model }: { model: Model }) {
  const steps = useModel(model, (m) => m.steps.list);
  const theme = useModel(model, (m) => m.theme);
  const marked = useModel(model, (m) => m.selection.method);
  const several = useModel(model, (m) => (m.recording?.processes.length ?? 0) > 1);
  const [filter, setFilter] = useState('');
  const [current, setCurrent] = useState<number>();
  const columns = useMemo(() => columnsOf(model, steps, several), [steps, theme, several]);
  const show = (row: number) => {
    const step = steps[row]!;
    model.selection.mark(step.method);
    model.goTo(step.time);
  };
  return (
    <Table
      label="Steps of the recorder"
      file={`${model.recording?.name ?? 'recording'}-steps`}
      columns={columns}
      count={steps.length}
      data={steps}
      sort={{ column: 'time', descending: false }}
      filter={filter}
      onFilter={setFilter}
      text={(row) => `${fullName(model, steps[row]!.method)} ${steps[row]!.reason}`}
      current={current}
      onCurrent={setCurrent}
      onAction={(action, row) => action === 'act' && row !== undefined && show(row)}
      marked={(row) => steps[row]?.method === marked}
      empty="Every method was recorded in the same way throughout."
    >
      <Budgets model={model} />
    </Table>
  );
}

function Budgets({ model }: { model: Model }) {
  const processes = useModel(model, (m) => m.recording?.processes) ?? [];
  const cut = useModel(model, (m) => m.steps.cut);
  const several = processes.length > 1;
  return (
    <span class="status" role="status">
      {processes.map((process) => {
        const says = [budgetSays(process), tookSays(process)].filter(Boolean).join('; ');
        return (
          says && (
            <small key={process.process} title={says}>
              {several ? `${process.pid}: ${says}` : says}
            </small>
          )
        );
      })}
      {cut > 0 && <small>{grouped(cut)} later steps are not listed</small>}
    </span>
  );
}

function columnsOf(model: Model, steps: readonly Step[], several: boolean): Column[] {
  const process = (row: number) => model.recording?.processes.find((p) => p.process === steps[row]!.process)?.pid ?? 0;
  const mode = (id: string, title: string, of: (step: Step) => number): Column => ({
    id,
    title,
    head: title.toLowerCase(),
    width: '190px',
    value: (row) => modeSays(of(steps[row]!)),
    text: (row) => modeSays(of(steps[row]!)),
  });
  const to = { ...mode('to', 'To', (step) => step.mode), width: '206px' };
  return [
    {
      id: 'time',
      title: 'Time',
      head: 'time (ns)',
      number: true,
      width: '168px',
      value: (row) => steps[row]!.time,
      text: (row) => moment(steps[row]!.time),
    },
    methodColumn(model, (row) => steps[row]!.method, 'minmax(200px, 1fr)'),
    mode('from', 'From', (step) => step.before),
    { ...to, cell: (row) => <Direction step={steps[row]!} /> },
    {
      id: 'reason',
      title: 'Reason',
      head: 'reason',
      width: 'minmax(220px, 1.6fr)',
      value: (row) => steps[row]!.reason,
      text: (row) => steps[row]!.reason,
    },
    ...(several
      ? [
          {
            id: 'process',
            title: 'Process',
            head: 'process',
            number: true,
            width: '80px',
            value: process,
            text: (row: number) => String(process(row)),
          },
        ]
      : []),
  ];
}

function Direction({ step }: { step: Step }) {
  const down = isDown(step.before, step.mode);
  return (
    <>
      <i class={down ? 'step-down' : 'step-up'} aria-hidden="true">
        {down ? '▾' : '▴'}
      </i>
      {modeSays(step.mode)}
    </>
  );
}
