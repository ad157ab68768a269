import type { ReactNode } from 'react'
import { cx } from './cx.ts'

export interface Column<Row> {
  name: string
  head: ReactNode
  cell(row: Row): ReactNode
  align?: 'end'
  className?: string
}

interface TableProps<Row> {
  /** What it lists, for screen readers. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf(row: Row): string
  onOpen?: ((row: Row) => void) | undefined
}

/** A list of rows with a head. It scrolls sideways within itself, never the page. */
export function Table<Row>({ caption, columns, rows, keyOf, onOpen }: TableProps<Row>) {
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
      tabIndex={0}
      aria-label={caption}
      // Positioned, so that what is for screen readers alone scrolls with it.
      className="relative overflow-x-auto rounded-xl border border-line bg-panel"
    >
      <table className="w-full border-collapse text-sm">
        <thead>
          <tr className="border-b border-line bg-raised text-left text-[13px] text-soft">
            {columns.map(({ name, head, align }) => (
              <th
                key={name}
                scope="col"
                className={cx('px-3 py-2 font-medium whitespace-nowrap', align && 'text-right')}
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
              onClick={onOpen && (() => onOpen(row))}
              className={cx(
                'border-b border-line last:border-0',
                onOpen && 'cursor-pointer hover:bg-raised',
              )}
            >
              {columns.map(({ name, cell, align, className }) => (
                <td
                  key={name}
                  className={cx(
                    'px-3 py-2 align-top',
                    align && 'text-right tabular-nums',
                    className,
                  )}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
