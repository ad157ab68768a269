import { Download } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { saveFile } from '../ui/save-file.ts'
import { useFormats, useWords } from '../words/use-words.ts'
import { resultWords } from './result-words.ts'
import type { ResultBlock } from './to-content.ts'
import { toFileName } from './to-file-name.ts'

interface FileBlockProps {
  file: Extract<ResultBlock, { kind: 'file' }>
  /** Of the file where it has none of its own. */
  name: string
}

/**
 * What the page does not show: the name it is saved as, its type and size. It leaves as a file,
 * which no page opens.
 */
export function FileBlock({ file, name }: FileBlockProps) {
  const words = useWords(resultWords)
  const formats = useFormats()
  const { type, bytes, data } = file
  const saved = toFileName(file, name)
  const shownType = type.slice(0, 100) || words.file
  return (
    <p className="flex flex-wrap items-center gap-2 text-sm [overflow-wrap:anywhere]">
      <span>
        <PlainText text={words.notShown(saved, shownType, formats.bytes(bytes))} />
      </span>
      <Button
        size="small"
        icon={<Download aria-hidden="true" className="size-3.5" />}
        onClick={() => saveFile(saved, toBytes(data), 'application/octet-stream')}
      >
        {words.save}
      </Button>
    </p>
  )
}

function toBytes(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
}
