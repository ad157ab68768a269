import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { uiWords } from '../../ui/ui-words.ts'
import { useFormats, useWords } from '../../words/use-words.ts'
import { auditWords } from './audit-words.ts'
import { toReadable } from './to-readable.ts'

const most = 4000

interface KeptTextProps {
  title: string
  text: string | null
}

/** What was written down of arguments or results: JSON as JSON, long ones folded. */
export function KeptText({ title, text }: KeptTextProps) {
  const words = useWords(auditWords)
  const common = useWords(uiWords)
  const formats = useFormats()
  const [isWhole, setWhole] = useState(false)
  const readable = text === null ? '' : toReadable(text)
  const shown = isWhole ? readable : readable.slice(0, most)
  return (
    <section className="flex flex-col items-start gap-1">
      <h3 className="text-sm font-medium">{title}</h3>
      {readable === '' ? (
        <p className="text-[13px] text-soft">{words.notKept}</p>
      ) : (
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
          tabIndex={0}
          className="max-h-80 w-full overflow-auto rounded-lg border border-line bg-back p-3 text-[13px] whitespace-pre-wrap [overflow-wrap:anywhere]"
        >
          <PlainText text={shown} />
        </pre>
      )}
      {shown.length < readable.length && (
        <Button size="small" kind="quiet" onClick={() => setWhole(true)}>
          {common.showAll(formats.number(readable.length))}
        </Button>
      )}
    </section>
  )
}
