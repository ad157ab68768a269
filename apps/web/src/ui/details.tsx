import { Fragment, type ReactNode } from 'react'
import { PlainText } from './plain-text.tsx'

const nothing: readonly ReactNode[] = [undefined, null, false, '']

/** Names and what each is. What is nothing is left out. */
export function Details({ rows }: { rows: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-1 gap-x-4 gap-y-1 text-sm sm:grid-cols-[11rem_1fr]">
      {rows
        .filter(([, value]) => !nothing.includes(value))
        .map(([name, value]) => (
          <Fragment key={name}>
            <dt className="text-soft">{name}</dt>
            <dd className="min-w-0 [overflow-wrap:anywhere]">{value}</dd>
          </Fragment>
        ))}
    </dl>
  )
}

/** An id or another text that is read letter by letter. */
export function Mono({ text }: { text: string }) {
  return (
    <span className="font-mono text-[13px] [overflow-wrap:anywhere]">
      <PlainText text={text} />
    </span>
  )
}

/** What people call a thing, and the id that it is known by. */
export function NameAndId({ name, id }: { name: string; id: string }) {
  return (
    <span className="flex flex-col">
      <span className="font-medium">
        <PlainText text={name} />
      </span>
      {id !== name && (
        <span className="font-mono text-xs text-soft">
          <PlainText text={id} />
        </span>
      )}
    </span>
  )
}
