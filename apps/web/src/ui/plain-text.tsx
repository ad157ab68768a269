import { Fragment } from 'react'
import { useWords } from '../words/use-words.ts'
import { uiWords } from './ui-words.ts'

/** Characters that change how a text looks without being seen: bidi controls, zero widths, tags. */
const hidden =
  /(?![\t\n\r])(?!(?<=\p{Extended_Pictographic}\ufe0f?)\u200d)[\p{Cc}\p{Cf}\u2028\u2029]/u

/** Text of a tool, a server or a model, with what it hides marked. Never HTML. */
export function PlainText({ text }: { text: string }) {
  const words = useWords(uiWords)
  if (!hidden.test(text)) return text
  const parts = text.split(new RegExp(`(${hidden.source})`, 'u'))
  return parts.map((part, i) => {
    const key = `${i}`
    if (i % 2 === 0) return <Fragment key={key}>{part}</Fragment>
    const code = `U+${part.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`
    return (
      <mark
        key={key}
        title={words.hidden(code)}
        className="rounded bg-bad-soft px-0.5 text-xs text-bad"
      >
        {code}
      </mark>
    )
  })
}
