import { isNumeric } from '@dataagent/data/charts'
import { type ChartSpec, chartTypeSchema, type DataColumn } from '@dataagent/schema'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { controlClass } from '../../ui/field.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { useWords } from '../../words/use-words.ts'
import { chartWords } from './chart-words.ts'
import { fitChart, isSingle } from './fit-chart.ts'

interface ChartControlsProps {
  spec: ChartSpec
  columns: readonly DataColumn[]
  onChange(spec: ChartSpec): void
}

const measuresMax = 12

/** The type of a chart and the columns that it draws. */
export function ChartControls({ spec, columns, onChange }: ChartControlsProps) {
  const words = useWords(chartWords)
  const change = (part: Partial<ChartSpec>) => onChange(fitChart({ ...spec, ...part }, columns))
  const numeric = columns.filter(({ kind }) => isNumeric(kind)).map(({ name }) => name)
  const { type, x, y, series } = spec
  const [first = ''] = y

  function setSeries(name: string) {
    if (name !== '') return change({ series: name })
    const { series: _, ...without } = spec
    onChange(fitChart(without, columns))
  }

  return (
    <fieldset aria-label={words.controls} className="flex min-w-0 flex-wrap items-end gap-2">
      <Picker
        label={words.type}
        value={type}
        onChange={(value) => change({ type: chartTypeSchema.parse(value) })}
      >
        {chartTypeSchema.options.map((each) => (
          <option key={each} value={each}>
            {words.types[each]}
          </option>
        ))}
      </Picker>
      {type !== 'number' && (
        <Picker label={words.x} value={x ?? ''} onChange={(name) => change({ x: name })}>
          {columns.map(({ name }) => toOption(name))}
        </Picker>
      )}
      {isSingle(spec) || numeric.length < 2 ? (
        <Picker label={words.y} value={first} onChange={(name) => change({ y: [name] })}>
          {numeric.map(toOption)}
        </Picker>
      ) : (
        <Measures
          names={numeric.slice(0, measuresMax)}
          chosen={y}
          onChange={(names) => change({ y: names })}
        />
      )}
      {type !== 'number' && type !== 'pie' && columns.length > 2 && (
        <Picker label={words.series} value={series ?? ''} onChange={setSeries}>
          {type !== 'heatmap' && <option value="">{words.none}</option>}
          {columns
            .filter(({ name }) => name !== x && name !== first)
            .map(({ name }) => toOption(name))}
        </Picker>
      )}
    </fieldset>
  )
}

const toOption = (name: string) => (
  <option key={name} value={name}>
    {name}
  </option>
)

interface PickerProps {
  label: string
  value: string
  onChange(value: string): void
  children: ReactNode
}

function Picker({ label, value, onChange, children }: PickerProps) {
  return (
    <label className="flex min-w-0 flex-col text-xs text-soft">
      {label}
      <select
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={cx(controlClass, '!min-h-7 max-w-44 !px-2 !py-0.5')}
      >
        {children}
      </select>
    </label>
  )
}

interface MeasuresProps {
  names: readonly string[]
  chosen: readonly string[]
  onChange(names: string[]): void
}

/** One of them at least stays chosen. */
function Measures({ names, chosen, onChange }: MeasuresProps) {
  const words = useWords(chartWords)
  function flip(name: string): string[] {
    if (!chosen.includes(name)) return [...chosen, name]
    const others = chosen.filter((each) => each !== name)
    return others.length > 0 ? others : [name]
  }
  return (
    <fieldset aria-label={words.measures} className="flex min-w-0 flex-wrap gap-1">
      {names.map((name) => (
        <Button
          key={name}
          size="small"
          aria-pressed={chosen.includes(name)}
          className={cx('max-w-44', chosen.includes(name) && 'border-accent !bg-accent-soft')}
          onClick={() => onChange(flip(name))}
        >
          <span className="truncate">
            <PlainText text={name} />
          </span>
        </Button>
      ))}
    </fieldset>
  )
}
