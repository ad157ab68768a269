import { type CSSProperties, Fragment, use, useEffect, useState } from 'react'
import { CopyButton } from '../ui/copy-button.tsx'
import { useWords } from '../words/use-words.ts'
import type { Token } from './highlight.ts'
import { HighlightContext } from './highlight-context.ts'
import { markdownWords } from './markdown-words.ts'

interface CodeBlockProps {
  text: string
  language?: string | undefined
}

/** Longer code is shown plain. */
const colouredMax = 50_000

/** Code, with colours once they are loaded, and a way to copy it. */
export function CodeBlock({ text, language }: CodeBlockProps) {
  const words = useWords(markdownWords)
  const lines = useColours(text, language)
  return (
    <figure className="overflow-hidden rounded-xl border border-line bg-back">
      <figcaption className="flex items-center justify-between border-b border-line px-3 py-0.5 text-xs text-soft">
        {language ?? words.code}
        <CopyButton text={text} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <pre tabIndex={0} className="max-h-96 overflow-auto p-3 text-[13px] leading-normal">
        <code>{lines ? lines.map(toLine) : text}</code>
      </pre>
    </figure>
  )
}

function toLine(tokens: readonly Token[], at: number) {
  return (
    <Fragment key={at}>
      {at > 0 && '\n'}
      {tokens.map(({ text, colours }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a token is known by its place
        <span key={i} className="code-token" style={colours as CSSProperties}>
          {text}
        </span>
      ))}
    </Fragment>
  )
}

function useColours(text: string, language: string | undefined) {
  const highlight = use(HighlightContext)
  const [coloured, setColoured] = useState<{ text: string; lines: readonly Token[][] }>()
  useEffect(() => {
    if (!highlight || language === undefined || text.length > colouredMax) return
    let isOver = false
    // While it is being written it is not coloured at every letter.
    const timer = setTimeout(async () => {
      const lines = await highlight(text, language)
      if (!isOver && lines) setColoured({ text, lines })
    }, 150)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [highlight, text, language])
  return coloured?.text === text ? coloured.lines : undefined
}
