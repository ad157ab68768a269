import { Upload } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { useWords } from '../../words/use-words.ts'
import { filesWords } from '../files-words.ts'

/** Chooses files of the person's own, several at once. */
export function UploadButton({ onFiles }: { onFiles(files: readonly File[]): void }) {
  const words = useWords(filesWords)
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button
        kind="primary"
        icon={<Upload aria-hidden="true" className="size-4" />}
        onClick={() => input.current?.click()}
      >
        {words.upload}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        tabIndex={-1}
        aria-hidden="true"
        className="hidden"
        onChange={({ target }) => {
          const files = [...(target.files ?? [])]
          // The same file can be chosen again.
          target.value = ''
          if (files.length > 0) onFiles(files)
        }}
      />
    </>
  )
}
