import { CircleAlert, CircleCheck, Clock } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { uploadWords } from './upload-words.ts'
import type { Upload } from './use-uploads.ts'

interface UploadListProps {
  uploads: readonly Upload[]
  onAgain(upload: Upload): void
  onClear(): void
}

const icons = {
  waiting: <Clock aria-hidden="true" className="size-4 text-soft" />,
  sending: <Spinner />,
  done: <CircleCheck aria-hidden="true" className="size-4 text-good" />,
  failed: <CircleAlert aria-hidden="true" className="size-4 text-bad" />,
  taken: <CircleAlert aria-hidden="true" className="size-4 text-wait" />,
}

/** What is being uploaded, what is there, and what was refused and why. */
export function UploadList({ uploads, onAgain, onClear }: UploadListProps) {
  const words = useWords(uploadWords)
  const formats = useFormats()
  if (uploads.length === 0) return null
  const done = uploads.filter(({ state }) => state === 'done').length
  return (
    <section aria-label={words.title} className="rounded-xl border border-line bg-panel">
      <header className="flex items-center justify-between gap-2 border-b border-line px-3 py-1">
        <h2 aria-live="polite" className="text-sm font-medium">
          {words.progress(done, uploads.length)}
        </h2>
        <Button kind="quiet" size="small" onClick={onClear}>
          {words.clear}
        </Button>
      </header>
      <ul className="max-h-60 overflow-y-auto">
        {uploads.map((upload) => (
          <li key={upload.id} className="flex items-start gap-2 px-3 py-1.5 text-sm">
            <span className="mt-1">{icons[upload.state]}</span>
            <div className="min-w-0 flex-1">
              <p className="[overflow-wrap:anywhere]">
                <PlainText text={upload.file.name} />{' '}
                <span className="text-soft">
                  {formats.bytes(upload.file.size)} · {words.states[upload.state]}
                </span>
              </p>
              {upload.problem && (
                <p role="alert" className="text-[13px] text-bad">
                  {upload.problem}
                </p>
              )}
            </div>
            {upload.state === 'failed' && (
              <Button size="small" onClick={() => onAgain(upload)}>
                {words.again}
              </Button>
            )}
            {upload.state === 'taken' && (
              <Button size="small" kind="danger" onClick={() => onAgain(upload)}>
                {words.replace}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
