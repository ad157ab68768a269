import { useState } from 'react'
import { PlainText } from '../ui/plain-text.tsx'
import { LongText } from './long-text.tsx'
import { toShort } from './to-short.ts'

const openDepth = 2
const pieceSize = 100
const textMax = 2000

/** A value as a tree. What is deep or long opens on a click, so that its size does not matter. */
export function JsonView({ value, depth = 0 }: { value: unknown; depth?: number }) {
  if (typeof value !== 'object' || value === null) return <Scalar value={value} />
  const isList = Array.isArray(value)
  const entries = isList ? value.length : Object.keys(value).length
  if (entries === 0) return <span className="text-soft">{isList ? '[]' : '{}'}</span>
  return <Branch value={value} depth={depth} />
}

function Branch({ value, depth }: { value: object; depth: number }) {
  const [isOpen, setOpen] = useState(depth < openDepth)
  const [count, setCount] = useState(pieceSize)
  const isList = Array.isArray(value)
  const keys = isList ? undefined : Object.keys(value)
  const size = keys?.length ?? (value as unknown[]).length
  const shown = Array.from({ length: Math.min(size, count) }, (_, i) => keys?.[i] ?? String(i))
  return (
    <details
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="font-mono text-[13px]"
    >
      <summary className="text-soft">{isList ? `[ ${size} ]` : `{ ${size} }`}</summary>
      {isOpen && (
        <ul className="border-l border-line pl-4">
          {shown.map((key) => (
            <li key={key}>
              <span className="text-info">
                <PlainText text={toShort(key)} />
              </span>
              {': '}
              <JsonView value={(value as Record<string, unknown>)[key]} depth={depth + 1} />
            </li>
          ))}
          {size > count && (
            <li>
              <button
                type="button"
                className="text-accent underline"
                onClick={() => setCount((now) => now + pieceSize)}
              >
                + {Math.min(pieceSize, size - count)} / {size}
              </button>
            </li>
          )}
        </ul>
      )}
    </details>
  )
}

function Scalar({ value }: { value: unknown }) {
  const [isOpen, setOpen] = useState(false)
  const text = typeof value === 'string' ? value : String(value)
  if (typeof value !== 'string') return <span className="text-accent">{text}</span>
  if (isOpen) return <LongText text={text} name="value" />
  if (text.length <= textMax) {
    return (
      <span className="whitespace-pre-wrap [overflow-wrap:anywhere]">
        “<PlainText text={text} />”
      </span>
    )
  }
  return (
    <span className="[overflow-wrap:anywhere]">
      “<PlainText text={text.slice(0, textMax)} />…{' '}
      <button type="button" className="text-accent underline" onClick={() => setOpen(true)}>
        + {text.length - textMax}
      </button>
    </span>
  )
}
