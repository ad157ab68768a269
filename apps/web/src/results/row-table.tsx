import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { cx } from '../ui/cx.ts'
import { PlainText } from '../ui/plain-text.tsx'
import { useWords } from '../words/use-words.ts'
import type { Sorting } from './arrange.ts'
import { resultWords } from './result-words.ts'
import { toCell } from './to-csv.ts'
import { toShort } from './to-short.ts'

export interface RowColumn {
  name: string
  isNumeric: boolean
  /** What its values are, shown when the pointer rests. */
  about?: string | undefined
}

interface RowTableProps {
  /** What it lists, for screen readers. */
  label?: string
  columns: readonly RowColumn[]
  rows: readonly (readonly unknown[])[]
  sorting: Sorting | undefined
  onSort(column: number): void
  /** In place of a value that is none. */
  nothing: ReactNode
  /** Somebody has scrolled near to its end. */
  onNearEnd?: (() => void) | undefined
}

const rowHeight = 30
const cellMax = 300
const nearPx = 400

/** Rows as a table; only those that are seen are there. */
export function RowTable(props: RowTableProps) {
  const { label, columns, rows, sorting, onSort, nothing, onNearEnd } = props
  const box = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  })
  const shown = virtual.getVirtualItems()
  const above = shown[0]?.start ?? 0
  const below = virtual.getTotalSize() - (shown.at(-1)?.end ?? 0)

  function onScroll() {
    if (!box.current || !onNearEnd) return
    const { scrollHeight, scrollTop, clientHeight } = box.current
    if (scrollHeight - scrollTop - clientHeight < nearPx) onNearEnd()
  }

  return (
    <div
      ref={box}
      onScroll={onScroll}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
      tabIndex={0}
      className="max-h-80 overflow-auto rounded-lg border border-line"
    >
      <table
        aria-label={label}
        aria-rowcount={rows.length}
        className="w-full border-collapse text-[13px]"
      >
        <thead className="sticky top-0 bg-raised">
          <tr>
            {columns.map((column, i) => (
              <th
                // biome-ignore lint/suspicious/noArrayIndexKey: a column is known by its place
                key={i}
                scope="col"
                title={column.about}
                aria-sort={sortOf(sorting, i)}
                className="border-b border-line p-0 text-left font-medium"
              >
                <HeadButton
                  column={column}
                  direction={sortOf(sorting, i)}
                  onClick={() => onSort(i)}
                />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {above > 0 && <Spacer height={above} columns={columns.length} />}
          {shown.map(({ index }) => (
            <tr key={index} className="h-[30px] border-b border-line last:border-0">
              {columns.map(({ isNumeric }, i) => (
                <Cell
                  // biome-ignore lint/suspicious/noArrayIndexKey: a cell is known by its place
                  key={i}
                  value={rows[index]?.[i]}
                  isNumeric={isNumeric}
                  nothing={nothing}
                />
              ))}
            </tr>
          ))}
          {below > 0 && <Spacer height={below} columns={columns.length} />}
        </tbody>
      </table>
    </div>
  )
}

interface HeadButtonProps {
  column: RowColumn
  direction: ReturnType<typeof sortOf>
  onClick(): void
}

function HeadButton({ column: { name, isNumeric }, direction, onClick }: HeadButtonProps) {
  const words = useWords(resultWords)
  const Arrow = direction === 'descending' ? ArrowDown : ArrowUp
  return (
    <button
      type="button"
      aria-label={words.sortBy(name)}
      onClick={onClick}
      className={cx(
        'flex w-full items-center gap-1 px-2.5 py-1 whitespace-nowrap hover:text-accent',
        isNumeric && 'justify-end',
      )}
    >
      <PlainText text={toShort(name)} />
      {direction !== 'none' && <Arrow aria-hidden="true" className="size-3" />}
    </button>
  )
}

interface CellProps {
  value: unknown
  isNumeric: boolean
  nothing: ReactNode
}

function Cell({ value, isNumeric, nothing }: CellProps) {
  const text = toCell(value)
  return (
    <td
      title={text.length > 40 ? text.slice(0, 2000) : undefined}
      className={cx('max-w-80 truncate px-2.5 py-1', isNumeric && 'text-right tabular-nums')}
    >
      {value === null || value === undefined ? (
        <span className="text-soft">{nothing}</span>
      ) : (
        <PlainText text={text.slice(0, cellMax)} />
      )}
    </td>
  )
}

function Spacer({ height, columns }: { height: number; columns: number }) {
  return (
    <tr>
      <td colSpan={columns} style={{ height, padding: 0 }} />
    </tr>
  )
}

function sortOf(sorting: Sorting | undefined, column: number) {
  if (sorting?.column !== column) return 'none'
  return sorting.down ? 'descending' : 'ascending'
}
