import { Download } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { saveFile } from '../ui/save-file.ts'
import { uiWords } from '../ui/ui-words.ts'
import { useFormats, useWords } from '../words/use-words.ts'

interface LongTextProps {
  text: string
  /** For the name of the file that it is saved as. */
  name: string
}

const firstLength = 4000
const pieceLength = 32_000
/** A page that holds more of one text answers slowly: the rest is read in a file. */
const shownMax = 500_000

/** A long text shows its beginning, then piece by piece what follows; a file has all of it. */
export function LongText({ text, name }: LongTextProps) {
  const words = useWords(uiWords)
  const formats = useFormats()
  const [pieces, setPieces] = useState(0)
  const length = endOf(text, firstLength + pieces * pieceLength)
  const left = text.length - length
  return (
    <div>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
        tabIndex={0}
        className="max-h-96 overflow-auto text-[13px] whitespace-pre-wrap [overflow-wrap:anywhere]"
      >
        {Array.from({ length: pieces + 1 }, (_, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a piece is known by its place
          <Piece key={i} text={pieceOf(text, i)} />
        ))}
      </pre>
      {left > 0 && (
        <div className="mt-1 flex flex-wrap items-center gap-2">
          {length < shownMax && (
            <Button size="small" onClick={() => setPieces((now) => now + 1)}>
              {words.showMore(formats.bytes(Math.min(pieceLength, left)))}
            </Button>
          )}
          <Button
            size="small"
            kind="quiet"
            icon={<Download aria-hidden="true" className="size-3.5" />}
            onClick={() => saveFile(`${name}.txt`, text, 'text/plain')}
          >
            {words.saveAll(formats.bytes(text.length))}
          </Button>
        </div>
      )}
    </div>
  )
}

function Piece({ text }: { text: string }) {
  return (
    <span>
      <PlainText text={text} />
    </span>
  )
}

function pieceOf(text: string, at: number): string {
  const from = at === 0 ? 0 : endOf(text, firstLength + (at - 1) * pieceLength)
  return text.slice(from, endOf(text, firstLength + at * pieceLength))
}

/** No character is cut in two. */
function endOf(text: string, length: number): number {
  const isWithin = /[\uD800-\uDBFF]/.test(text[length - 1] ?? '')
  return Math.min(text.length, isWithin ? length + 1 : length)
}
